import { describe, expect, test } from 'vitest';
import packageFile from '../../package.json' with { type: 'json' };
import { chooseCommand, commandNames } from '../../src/package/command-line.ts';

const argsOf = (...args: readonly string[]) => {
  const choice = chooseCommand(args);
  return 'args' in choice ? [choice.run.toString(), choice.args] : choice;
};

test.each([
  [[], 'main', []],
  [['start'], 'main', []],
  [['start', '--reset'], 'main', ['--reset']],
  [['--reset', '--fast'], 'main', ['--reset', '--fast']],
  [['start', '--help'], 'main', ['--help']],
  [['sandbox', '--domains', '5'], 'sandbox/main', ['--domains', '5']],
  [['keys', 'list'], 'cli/keys', ['list']],
  [['purchases', 'stop', 'Why'], 'cli/purchases', ['stop', 'Why']],
  [['check'], 'cli/check', []],
])('%j runs %s with the arguments %j', (args, program, rest) => {
  expect(argsOf(...args)).toEqual([expect.stringContaining(`/${program}.ts`), rest]);
});

test('every program that npm starts from the bundle is a command', () => {
  const scripts = Object.entries(packageFile.scripts).flatMap(([name, script]) => {
    const [, program, command] = /run\.mjs --build (\S+)(?: (\w+))?$/.exec(script) ?? [];
    // Of a feature the command is the argument of a program.
    if (command !== undefined)
      expect([name, commandNames]).toEqual([command, expect.arrayContaining([name])]);
    return program === undefined || command !== undefined ? [] : [[name, program] as const];
  });

  expect(scripts.length).toBeGreaterThan(4);
  for (const [name, program] of scripts) {
    // `npm run check` checks the source code.
    expect(argsOf(name.replace(':live', '')), name).toEqual([
      expect.stringContaining(`/${program.replace(/^src\//, '')}.ts`),
      [],
    ]);
  }
});

describe('without a command it prints', () => {
  test.each(['--help', '-h'])('for %s the commands', (option) => {
    const { text } = chooseCommand([option, 'ignored']) as { text: string };

    for (const name of commandNames) {
      expect(text).toMatch(new RegExp(`^ {2}${name} +[A-Z].*\\.`, 'm'));
    }
    expect(text).toContain('Usage: reseller-graph [command] [options]');
  });

  test('for --version the version', () => {
    expect(chooseCommand(['--version'])).toEqual({ text: packageFile.version });
  });
});

test.each([
  ['key', 'There is no command "key"; did you mean keys?'],
  ['strat', 'There is no command "strat"; did you mean start?'],
  ['toString', `There is no command "toString"; the commands are ${commandNames.join(', ')}.`],
  ['x'.repeat(100), expect.stringContaining(`"${'x'.repeat(60)}";`)],
])('the unknown command %s is refused with a suggestion', (word, error) => {
  expect(chooseCommand([word])).toEqual({ error });
});
