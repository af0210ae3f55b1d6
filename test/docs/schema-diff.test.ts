import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { root } from './markdown.ts';

const directory = mkdtempSync(join(tmpdir(), 'reseller-graph-schemas-'));
afterAll(() => rmSync(directory, { recursive: true }));

interface Asked {
  readonly base: string;
  readonly head: string;
  readonly accepted?: unknown;
}

/** Runs the script over schemas given as text, in a folder of their own. */
function compare({ base, head, accepted = {} }: Asked) {
  const files = { base, head, accepted: JSON.stringify(accepted) };
  const options = Object.entries(files).flatMap(([name, text]) => {
    const path = join(directory, name);
    writeFileSync(path, text);
    return [`--${name}`, path];
  });
  return run(...options);
}

const run = (...options: readonly string[]) =>
  new Promise<{ code: number; said: string; complained: string }>((resolve) => {
    const script = ['scripts/schema-diff.ts', ...options];
    execFile(process.execPath, script, { cwd: root }, (error, said, complained) =>
      resolve({ code: error ? Number(error.code) : 0, said, complained }),
    );
  });

const base = 'type Query { a: Int, b(c: Int): Int } enum E { ONE }';
const withoutA = 'type Query { b(c: Int): Int } enum E { ONE }';
const removed = 'FIELD_REMOVED Query.a';

describe('a breaking change', () => {
  test('fails, and is told by the name under which it may be listed', async () => {
    const { code, said } = await compare({ base, head: withoutA });

    expect(code).toBe(1);
    expect(said).toContain(`breaking   ${removed}: Field 'a' was removed`);
    expect(said).toContain('1 breaking, 0 accepted');
  });

  test('passes once it is listed, and its reason is told', async () => {
    const accepted = { [removed]: 'Nobody has asked for it in a year.' };

    const { code, said } = await compare({ base, head: withoutA, accepted });

    expect(code).toBe(0);
    expect(said).toContain('Reason: Nobody has asked for it in a year.');
    expect(said).toContain('0 breaking, 1 accepted');
  });

  test('fails beside one that is listed', async () => {
    const head = 'type Query { b: Int } enum E { ONE }';

    const { code, said } = await compare({ base, head, accepted: { [removed]: 'So be it.' } });

    expect(code).toBe(1);
    expect(said).toContain('breaking   FIELD_ARGUMENT_REMOVED Query.b.c');
    expect(said).toContain('1 breaking, 1 accepted');
  });
});

test('an entry of the list that no longer applies is told, and fails nothing', async () => {
  const { code, said } = await compare({ base, head: base, accepted: { [removed]: 'Old.' } });

  expect(code).toBe(0);
  expect(said).toContain(`stale      ${removed}`);
});

test('a dangerous change is shown, and fails nothing; a safe one is counted', async () => {
  const head = 'type Query { a: Int, b(c: Int): Int, d: Int } enum E { ONE TWO }';

  const { code, said } = await compare({ base, head });

  expect(code).toBe(0);
  expect(said).toContain('dangerous  ENUM_VALUE_ADDED E.TWO');
  expect(said).toContain('0 breaking, 0 accepted, 1 dangerous, 1 safe.');
});

describe('what cannot be compared ends with 2 and one sentence', () => {
  test.each([
    ['a base that is nowhere', ['--base', 'no-such-commit'], 'is neither a file nor a commit'],
    ['a base that looks like an option', ['--base=--all'], 'is neither a file nor a commit'],
    ['a head that is not there', ['--head', 'nowhere.graphql'], 'cannot be read.'],
    ['a head that is no schema', ['--head', 'package.json'], 'is no schema: '],
    ['a list that is not JSON', ['--accepted', 'README.md'], 'is not JSON.'],
    ['a list without reasons', ['--accepted', 'package.json'], 'with a reason for each'],
  ])('%s', async (_what, options, sentence) => {
    const { code, said, complained } = await run(...options);

    expect([code, said]).toEqual([2, '']);
    expect(complained.trim().split('\n')).toHaveLength(1);
    expect(complained).toContain(sentence);
  });
});

test('the graph of this repository breaks no promise without a reason, and the list has no stale entry', async () => {
  const { code, said } = await run();

  expect(said).not.toContain('stale');
  expect(code).toBe(0);
});

test('the base may be a commit', async () => {
  const { code, said } = await run('--base', 'HEAD', '--head', 'schema.base.graphql');

  expect(code).toBeLessThan(2);
  expect(said).toMatch(/\d+ safe\.$/m);
});
