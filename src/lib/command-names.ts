/** The commands of features, which add their names with `declare module`. */
// biome-ignore lint/suspicious/noEmptyInterface: features add the members
export interface FeatureCommands {}

/** The commands of the package, and the npm scripts of the same names in a clone. */
export type CommandName =
  | keyof FeatureCommands
  | 'start'
  | 'sandbox'
  | 'keys'
  | 'purchases'
  | 'domains'
  | 'mcp'
  | 'check';

/** Whether the programs are commands of the package, and not npm scripts of a clone. `bin.mjs` sets it. */
export const commandForm = { isPackage: false };

/** The text that starts a command in a shell, for help and messages. */
export const commandFor = (name: CommandName, args: string): string =>
  commandForm.isPackage ? packageCommand(name, args) : npmCommand(name, args);

export const packageCommand = (name: CommandName, args: string): string =>
  `reseller-graph ${name} ${args}`;

export const npmCommand = (name: CommandName, args: string): string =>
  `${npmScript(name)} -- ${args}`;

/** How npm starts the command in a clone. */
export const npmScript = (name: CommandName): string => `npm ${scripts[name] ?? `run ${name}`}`;

/** npm prints lines of its own to standard output, which has the messages of `mcp`. */
const scripts: Readonly<Partial<Record<CommandName, string>>> = {
  start: 'start',
  mcp: 'run mcp --silent',
  // `npm run check` checks the source code.
  check: 'run check:live',
};
