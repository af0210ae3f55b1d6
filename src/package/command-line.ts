import packageFile from '../../package.json' with { type: 'json' };
import { exitCodes, print, printErrors } from '../cli/program.ts';
import { isOneLetterOff } from '../config/suggestions.ts';
import { usePackageCommands } from '../lib/command-names.ts';

interface Command {
  readonly does: string;
  /** Imports the program, which reads `process.argv` and runs. */
  readonly run: () => Promise<unknown>;
}

const commands: Readonly<Record<string, Command>> = {
  start: { does: 'Starts the gateway; the default.', run: () => import('../main.ts') },
  sandbox: {
    does: 'Starts a sandbox of the registrar alone.',
    run: () => import('../sandbox/main.ts'),
  },
  keys: {
    does: 'Creates, lists and revokes API keys.',
    run: () => import('../cli/keys.ts'),
  },
  purchases: {
    does: 'Stops and starts purchases, and backs up their journal.',
    run: () => import('../cli/purchases.ts'),
  },
  domains: {
    does: "Adds domains that the registrar's list leaves out.",
    run: () => import('../cli/domains.ts'),
  },
};

const help = `reseller-graph ${packageFile.version}: ${packageFile.description}

Usage: reseller-graph [command] [options]

${Object.entries(commands)
  .map(([name, { does }]) => `  ${name.padEnd(10)} ${does}`)
  .join('\n')}

  --help     Prints this; reseller-graph <command> --help prints the options and settings of a command.
  --version  Prints the version.
`;

/** Runs the command that the first argument names. Options before a command are those of `start`. */
export async function runCommandLine(): Promise<void> {
  const [word = 'start'] = process.argv.slice(2);
  if (word === '--help' || word === '-h') return print(help);
  if (word === '--version') return print(packageFile.version);
  const name = word.startsWith('-') ? 'start' : word;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) {
    printErrors('reseller-graph', [describeUnknown(word)]);
    process.exitCode = exitCodes.misused;
    return;
  }
  if (process.argv[2] === name) process.argv.splice(2, 1);
  usePackageCommands();
  await command.run();
}

function describeUnknown(word: string): string {
  const names = Object.keys(commands);
  const similar = names.find((name) => isOneLetterOff(word, name) || name.startsWith(word));
  const advice = similar ? `did you mean ${similar}?` : `the commands are ${names.join(', ')}.`;
  return `There is no command "${word.slice(0, 60)}"; ${advice}`;
}
