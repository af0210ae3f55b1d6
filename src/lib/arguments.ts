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
