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
  | 'backup'
  | 'restore'
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

/** Where they are not `run NAME`. */
const scripts: Record<string, string> = {
  start: 'start',
  // `npm run check` checks the source code.
  check: 'run check:live',
};

/** Adds the script of a command of a feature, such as `run audit --silent`. */
export function addScript(name: string, script: string): void {
  scripts[name] = script;
}
