import packageFile from '../../package.json' with { type: 'json' };
import { featureCommands } from '../app/feature-commands.ts';
import { isOneLetterOff } from '../config/read-values.ts';
import type { CommandName } from '../lib/programs.ts';

interface Command {
  readonly does: string;
  /** Imports the program, which reads `process.argv` and runs. */
  readonly run: () => Promise<unknown>;
}

/** The commands of the package, in the order of the help. */
export const commands: Readonly<Record<CommandName, Command>> = {
  start: { does: 'Starts the gateway; the default.', run: () => import('../main.ts') },
  sandbox: {
    does: 'Starts a sandbox of the registrar alone.',
    run: () => import('../../sandbox/main.ts'),
  },
  keys: { does: 'Creates, lists and revokes API keys.', run: () => import('../cli/keys.ts') },
  purchases: {
    does: 'Stops and starts purchases.',
    run: () => import('../cli/purchases.ts'),
  },
  backup: {
    does: 'Copies the journal and the files of the settings.',
    run: () => import('../cli/backup.ts'),
  },
  restore: {
    does: 'Checks a backup, and restores it on a machine without these files.',
    run: () => import('../cli/restore.ts'),
  },
  check: {
    does: 'Checks the settings, the login, the journal and what live use needs.',
    run: () => import('../cli/check.ts'),
  },
  ...featureCommands,
};

export const commandNames = Object.keys(commands) as readonly CommandName[];

const help = `reseller-graph ${packageFile.version}: ${packageFile.description}

Usage: reseller-graph [command] [options]

${Object.entries(commands)
  .map(([name, { does }]) => `  ${name.padEnd(10)} ${does}`)
  .join('\n')}

  --help     Prints this; reseller-graph <command> --help prints the options and settings of a command.
  --version  Prints the version.
`;

type Choice =
  | (Pick<Command, 'run'> & { readonly args: readonly string[] })
  | { readonly text: string }
  | { readonly error: string };

/** The command and its arguments, a text to print, or why there is none. Options before a command are those of `start`. */
export function chooseCommand(args: readonly string[]): Choice {
  const [word = 'start', ...rest] = args;
  if (word === '--help' || word === '-h') return { text: help };
  if (word === '--version') return { text: packageFile.version };
  if (word.startsWith('-')) return chooseCommand(['start', ...args]);
  const name = commandNames.find((one) => one === word);
  return name ? { run: commands[name].run, args: rest } : { error: describeUnknown(word) };
}

function describeUnknown(word: string): string {
  const similar = commandNames.find((name) => isOneLetterOff(word, name));
  const advice = similar
    ? `did you mean ${similar}?`
    : `the commands are ${commandNames.join(', ')}.`;
  return `There is no command "${word.slice(0, 60)}"; ${advice}`;
}
