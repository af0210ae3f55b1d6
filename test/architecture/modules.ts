import { globSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import { codeOf } from './source-text.ts';

/** Source text by path from the root of the repository, such as `src/main.ts`. Tests hand in files that do not exist. */
export type Files = ReadonlyMap<string, string>;

export const root = join(import.meta.dirname, '..', '..');

const depthOf = (path: string) => path.split('/').length;
/** Paths from the root, those of an outer folder first. */
const find = (...patterns: readonly string[]) =>
  globSync(patterns, { cwd: root, exclude: ['**/node_modules'] })
    .map((path) => path.split(sep).join('/'))
    .sort((one, other) => depthOf(one) - depthOf(other) || (one < other ? -1 : 1));

/** Every TypeScript file below the folders, with tests. */
export function readSources(...folders: readonly string[]): Files {
  const paths = find(...folders.map((folder) => `${folder}/**/*.ts`));
  return new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}

/** The folders of the product: the gateway, the sandbox and the typed client. */
export const productFolders: readonly string[] = ['src', 'sandbox', 'client'];

/** Every TypeScript file of the product, or of the folders, without tests. */
export const readProduct = (...folders: readonly string[]): Files =>
  new Map(
    [...readSources(...(folders.length > 0 ? folders : productFolders))].filter(
      ([path]) => !/\.test\.ts$|\/test\//.test(path),
    ),
  );

/** Each folder with a lock file, from the root. */
export const packageFolders: readonly string[] = find('**/package-lock.json').map(posix.dirname);

export interface Import {
  /** The file that imports. */
  readonly from: string;
  /** As written: `../kernel/money.ts`, `node:fs`, `zod`. */
  readonly specifier: string;
  /** A path from the root when the import is one of our files. */
  readonly target: string | null;
  /** Names for types only: nothing of the target is called. */
  readonly isType: boolean;
  /** The names at the target; `*` for all of them. */
  readonly names: readonly string[];
}

const statement =
  /\b(?:import|export)\b\s*(type\b(?!\s*(?:,|from\b)))?\s*([\w$\s,{}*]*?)\s*\bfrom\s*(["'])/g;
const bare = /\bimport\s*(["'])/g;
const call = /\bimport\s*\(\s*(["'])/g;

/** Every import of one file: static ones, `export … from`, and `import(…)` as a call or inside a type. */
export function importsOf(from: string, source: string): readonly Import[] {
  const code = codeOf(source);
  const found = (match: RegExpExecArray, isType: boolean, names: readonly string[]): Import => {
    const start = match.index + match[0].length;
    const quote = match[0].slice(-1);
    const specifier = source.slice(start, code.indexOf(quote, start));
    const isOurs = specifier.startsWith('.');
    const target = isOurs ? posix.join(posix.dirname(from), specifier) : null;
    return { from, specifier, target, isType, names };
  };

  return [
    ...[...code.matchAll(statement)].map((match) => {
      const clause = readClause(match[2] ?? '', code);
      return found(match, match[1] !== undefined || clause.isType, clause.names);
    }),
    ...[...code.matchAll(bare)].map((match) => found(match, false, [])),
    ...[...code.matchAll(call)].map((match) => {
      // `typeof import('x')` and `import('x').Name` after a colon name a type; distinguishing them would need a parser.
      return found(match, false, ['*']);
    }),
  ];
}

/** `a, { type B, c as d }` or `* as e`: the names at the target, and whether all of them are types. */
function readClause(clause: string, code: string): { isType: boolean; names: readonly string[] } {
  if (clause.includes('*')) return { isType: false, names: membersOf(clause, code) };
  const [head = '', list = ''] = clause.split('{');
  const parts = list
    .replace('}', '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const byDefault = head.replace(',', '').trim();
  const names = parts.map((part) => part.replace(/^type\s+/, '').replace(/\s+as\s.*/s, ''));
  return {
    isType: byDefault === '' && parts.length > 0 && parts.every((part) => /^type\s/.test(part)),
    names: byDefault === '' ? names : ['default', ...names],
  };
}

/** The members that code reads of `* as e`; `*` when it reads none, or uses `e` in another way. */
function membersOf(clause: string, code: string): readonly string[] {
  const alias = /\bas\s+([\w$]+)/.exec(clause)?.[1];
  const uses = [
    ...code.matchAll(
      new RegExp(`(?<![\\w$]|(?<!\\.\\.)\\.)${alias}(?![\\w$])(?:\\.([\\w$]+))?`, 'g'),
    ),
  ];
  const members = uses.flatMap(([, name]) => name ?? []);
  // One use is the import itself.
  return alias !== undefined && members.length > 0 && members.length === uses.length - 1
    ? members
    : ['*'];
}

export const importsOfAll = (files: Files): readonly Import[] =>
  [...files].flatMap(([path, source]) => importsOf(path, source));
