import { describe, expect, test } from 'vitest';
import { isLong, whyNotShort } from '../support/long.ts';
import { inShell } from '../support/shell.ts';
import { readText, root } from './markdown.ts';

const { scripts } = JSON.parse(readText('package.json')) as {
  scripts: Readonly<Record<string, string>>;
};

/** Scripts of other programs, those that run several, and those that build `dist/`. */
const others = [
  'check',
  'lint',
  'package',
  'playground',
  'postinstall',
  'prepack',
  'test',
  'types',
];
const isOther = (name: string) =>
  others.includes(name) || /^(?:build|dev|format.*|test:.*|.*:check)$/.test(name);
const programs = Object.keys(scripts).filter((name) => !isOther(name));
const inShortForm = ['schema'];

const runHere = (line: string) => inShell(line, { cwd: root });

test.each(isLong ? programs : inShortForm)(
  'npm run %s -- --help prints what the command does and its options',
  async (name) => {
    const { stdout, stderr } = await runHere(`npm run --silent ${name} -- --help`);

    expect(stderr).toBe('');
    expect(stdout).toMatch(/^[A-Za-z].*[.:].*\n\nUsage: npm (?:run )?[\w:]+/);
  },
);

test('the commands with a help are those of package.json', () => {
  expect(programs.length).toBeGreaterThan(20);
  expect(inShortForm.filter((name) => !programs.includes(name))).toEqual([]);
});

describe.skipIf(whyNotShort)('a command', () => {
  test('refuses an unknown option with one sentence', async () => {
    const ended = await runHere('npm run --silent tenants -- --wrong');

    expect([ended.code, ended.stdout]).toEqual([2, '']);
    expect(ended.stderr).toBe("tenants: Unknown option '--wrong'; see --help.\n");
  });

  test('prints no stack trace when its reader reads one line', async () => {
    const print = 'npm run --silent schema -- --print schema.graphql | head -n 1';

    expect(await runHere(print)).toEqual({ code: 0, stdout: '"""\n', stderr: '' });
  });
});
