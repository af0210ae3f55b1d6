import { execFile } from 'node:child_process';
import { buildSchema } from 'graphql';
import { describe, expect, test } from 'vitest';
import { compareSchemas, type Reasons, report } from '../../scripts/schema-changes.ts';
import { isLong, whyNotShort } from '../support/long.ts';
import { root } from './markdown.ts';

interface Comparison {
  readonly base: string;
  readonly head: string;
  readonly accepted?: Reasons;
}

/** The result of the script for schemas given as text, and the report that it prints. */
async function compare({ base, head, accepted = {} }: Comparison) {
  const found = await compareSchemas(buildSchema(base), buildSchema(head), accepted);
  return { isRefused: found.breaking.length > 0, stdout: report(found) };
}

const run = (...options: readonly string[]) =>
  new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const script = ['scripts/schema-diff.ts', ...options];
    execFile(process.execPath, script, { cwd: root }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });

const base = 'type Query { a: Int, b(c: Int): Int } enum E { ONE }';
const withoutA = 'type Query { b(c: Int): Int } enum E { ONE }';
const removed = 'FIELD_REMOVED Query.a';

describe('a breaking change', () => {
  test('fails, with the name under which it can be accepted', { tags: ['G26'] }, async () => {
    const { isRefused, stdout } = await compare({ base, head: withoutA });

    expect(isRefused).toBe(true);
    expect(stdout).toContain(`breaking   ${removed}: Field 'a' was removed`);
    expect(stdout).toContain('1 breaking, 0 accepted');
  });

  test('passes when it is accepted, with its reason', async () => {
    const accepted = { [removed]: 'No client used it for a year.' };

    const { isRefused, stdout } = await compare({ base, head: withoutA, accepted });

    expect(isRefused).toBe(false);
    expect(stdout).toContain('Reason: No client used it for a year.');
    expect(stdout).toContain('0 breaking, 1 accepted');
  });

  test('fails beside an accepted change', async () => {
    const head = 'type Query { b: Int } enum E { ONE }';

    const { isRefused, stdout } = await compare({
      base,
      head,
      accepted: { [removed]: 'So be it.' },
    });

    expect(isRefused).toBe(true);
    expect(stdout).toContain('breaking   FIELD_ARGUMENT_REMOVED Query.b.c');
    expect(stdout).toContain('1 breaking, 1 accepted');
  });
});

test('an accepted change that no longer applies is reported without failure', async () => {
  const { isRefused, stdout } = await compare({
    base,
    head: base,
    accepted: { [removed]: 'Old.' },
  });

  expect(isRefused).toBe(false);
  expect(stdout).toContain(`stale      ${removed}`);
});

test('a dangerous change is reported and a safe one counted, without failure', async () => {
  const head = 'type Query { a: Int, b(c: Int): Int, d: Int } enum E { ONE TWO }';

  const { isRefused, stdout } = await compare({ base, head });

  expect(isRefused).toBe(false);
  expect(stdout).toContain('dangerous  ENUM_VALUE_ADDED E.TWO');
  expect(stdout).toContain('0 breaking, 0 accepted, 1 dangerous, 1 safe.');
});

describe('an invalid argument exits with 2 and one sentence', () => {
  const cases: readonly (readonly [what: string, options: readonly string[], sentence: string])[] =
    [
      ['a base that is nowhere', ['--base', 'no-such-commit'], 'is neither a file nor a commit'],
      ['a base that looks like an option', ['--base=--all'], 'is neither a file nor a commit'],
      [
        'a head that is not there',
        ['--base', 'schema.graphql', '--head', 'nowhere.graphql'],
        'cannot be read.',
      ],
      [
        'a head that is not a schema',
        ['--base', 'schema.graphql', '--head', 'package.json'],
        'is not a schema: ',
      ],
      [
        'a list that is not JSON',
        ['--base', 'schema.graphql', '--accepted', 'README.md'],
        'is not JSON.',
      ],
      [
        'a list without reasons',
        ['--base', 'schema.graphql', '--accepted', 'package.json'],
        'with a reason for each',
      ],
    ];
  // Each of them starts a process.
  test.each(isLong ? cases : cases.slice(0, 1))('%s', async (_what, options, sentence) => {
    const { code, stdout, stderr } = await run(...options);

    expect([code, stdout]).toEqual([2, '']);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).toContain(sentence);
  });
});

test.skipIf(whyNotShort)('the base can be a commit', async () => {
  const { code, stdout } = await run('--base', 'HEAD', '--head', 'schema.graphql');

  expect(code).toBeLessThan(2);
  expect(stdout).toMatch(/\d+ safe\.$/m);
});
