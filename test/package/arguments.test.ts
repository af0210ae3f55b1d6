import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dist } from '../../src/cli/bundle.mjs';
import { commandNames } from '../../src/package/command-line.ts';
import { isLong, whyNotShort } from '../support/long.ts';
import { inShell } from '../support/shell.ts';

/** Runs the command of the package, which Vitest has built before the tests. */
const runPackaged = (line: string) =>
  inShell(`"${process.execPath}" ${join(dist, 'reseller-graph.js')} ${line}`);

const named = ['', ...commandNames];
const longTest = test.skipIf(whyNotShort);

longTest.each(named)(
  '"%s" --help ends without an error when its reader has ended',
  async (name) => {
    expect(await runPackaged(`${name} --help | true`)).toEqual({ code: 0, stdout: '', stderr: '' });
  },
);

longTest.each(named)('"%s" -h prints the help', async (name) => {
  const { code, stdout, stderr } = await runPackaged(`${name} -h`);

  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain(`Usage: reseller-graph ${name || '[command]'} `);
});

const wrong = [
  ...['--wrong', 'start extra', 'mcp --wrong', 'sandbox extra', 'sandbox --domains'],
  ...[
    'keys make --wrong',
    'keys make shop --scopes',
    'domains import --wrong',
    'profiles import --wrong',
  ],
];

test.each(isLong ? wrong : ['sandbox --wrong'])(
  '"%s" is refused with one sentence',
  async (line) => {
    const { code, stdout, stderr } = await runPackaged(line);

    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^[\w-]+: (?:Unknown|Unexpected|Option) [^.\n]*; see --help\.\n$/);
  },
);

test.each(isLong ? ['wrong', ...wrong] : ['wrong'])(
  '"%s" is refused without a stack trace when its errors have no reader',
  async (line) => {
    expect(await runPackaged(`${line} 2>&1 >&- | true`)).toMatchObject({ code: 2, stderr: '' });
  },
);

// The other words after these commands are a name, a reason and a file.
longTest.each(['keys make', 'purchases stop', 'domains import', 'profiles import'])(
  '"%s --help" prints the help and does nothing else',
  async (command) => {
    const { code, stdout } = await runPackaged(`${command} --help`);

    expect(code).toBe(0);
    expect(stdout).toContain('Usage: reseller-graph ');
  },
);
