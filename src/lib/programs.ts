import type { EventEmitter } from 'node:events';
import { type ParseArgsConfig, parseArgs } from 'node:util';

/** The arguments are wrong; the message is one sentence that says what to do. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** `parseArgs` of Node. @throws UsageError */
export function parseArguments<const Options extends ParseArgsConfig>(options: Options) {
  try {
    return parseArgs(options);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // Node adds advice about arguments that begin with a hyphen.
    const [what] = error.message.split(/\. |\.?\n/);
    throw new UsageError(`${what}; see --help.`);
  }
}

/** Whether the arguments have `--help` or `-h`, also after a command: `purchases stop --help` stops nothing. */
export function isHelpRequested(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  const options = end === -1 ? args : args.slice(0, end);
  return options.includes('--help') || options.includes('-h');
}

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

/** The outputs of a process. */
interface Outputs {
  readonly stdout: EventEmitter;
  readonly stderr: EventEmitter;
}

/** Output that its reader does not read, as after `| head`, is dropped. Without a listener it would end the program. */
export function dropUnreadOutput({ stdout, stderr }: Outputs): void {
  for (const stream of [stdout, stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
}
