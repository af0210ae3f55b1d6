import { describe, expect, test } from 'vitest';
import { productFolders, readSources } from './modules.ts';
import { findUnusedExports } from './unused-exports.ts';

/** Exports without an import that remain, each with a reason. */
const exceptions: Readonly<Record<string, string>> = {
  'src/package/command-line.ts#commands': 'scripts/tables.ts imports it.',
  'src/lib/command-names.ts#commandForm': 'bin.mjs imports it, which is JavaScript.',
};

test('every export is imported', () => {
  const unused = findUnusedExports(readSources(...productFolders, 'test'));

  expect(unused.filter((name) => !(name in exceptions))).toEqual([]);
});

test('every exception exists and is not imported', () => {
  const unused = findUnusedExports(readSources(...productFolders, 'test'));

  expect(Object.keys(exceptions).filter((name) => !unused.includes(name))).toEqual([]);
});

describe('the check of exports', () => {
  const find = (source: string, other = '') =>
    findUnusedExports(
      new Map([
        ['src/planted.ts', source],
        ['test/planted.test.ts', other],
      ]),
    ).map((name) => name.split('#')[1]);

  test.each([
    ['export const a = 1;', 'a'],
    ['export function a() {}', 'a'],
    ['export async function a() { return a; }', 'a'],
    ['export class A {}', 'A'],
    ['export interface A { b: string }', 'A'],
    ['export type A = string;', 'A'],
    ['const a = 1;\nexport { a as b };', 'b'],
    ['export const { a } = b;', 'a'],
  ])('reports a planted %j', (source, name) => {
    expect(find(source)).toEqual([name]);
  });

  test.each([
    ["import { a } from '../src/planted.ts';"],
    ["import { type b, a } from '../src/planted.ts';"],
    ["import { a as b } from '../src/planted.ts';"],
    ["import * as all from '../src/planted.ts';"],
    ["import * as all from '../src/planted.ts'; all.a();"],
    ["import * as all from '../src/planted.ts'; const b = { ...all.a() };"],
    ["import * as all from '../src/planted.ts'; all.b(all);"],
    ["export { a } from '../src/planted.ts';"],
    ["const { a } = await import('../src/planted.ts');"],
  ])('counts %j as a use', (other) => {
    expect(find('export const a = 1;', other)).toEqual([]);
  });

  test('does not count another name, a remark or the file itself', () => {
    const other =
      "import { b } from '../src/planted.ts'; // import { a } from '../src/planted.ts';";

    expect(find('export const a = 1; const c = a;', other)).toEqual(['a']);
  });

  test('does not count a member that is not read', () => {
    const other = "import * as all from '../src/planted.ts'; all.b();";

    expect(find('export const a = 1;', other)).toEqual(['a']);
  });

  test('counts a type that a signature of its own file names', () => {
    expect(find('export interface Options {}\nfunction start(options: Options) {}')).toEqual([]);
  });
});
