import { readProduct } from '../architecture/modules.ts';

/*
 * The points at which a process can end have names that are made from the code. A write is named after its function: in the text of the
 * product, and in the stack when its statement is compiled.
 */

const product = readProduct('src');
const linesOf = new Map([...product].map(([path, source]) => [path, source.split('\n')]));

/** A function declaration, a function in a constant, or a member of a store. */
const declaration =
  /^(\s*)(?:export )?(?:(?:async )?function\*? (\w+)|const (\w+) =|(?:async )?(\w+)(?:: (?:async )?\(|\((?!.*=>)))/;
/** They begin a line and are no functions of their own. */
const others: ReadonlySet<string> = new Set(['if', 'for', 'while', 'switch', 'hasChanged']);
/** Of the members of a store. Deeper names are values. */
const maxIndent = 4;

const indentOf = (line: string): number => line.length - line.trimStart().length;

/** The function that a line, from 1, of formatted code is in. */
function functionAt(lines: readonly string[], line: number): string {
  const depth = indentOf(lines[line - 1] ?? '');
  for (let at = line - 1; at >= 0; at -= 1) {
    const text = lines[at] ?? '';
    const [, indent = '', ...names] = declaration.exec(text) ?? [];
    const name = names.find((one) => one !== undefined);
    if (!name || others.has(name) || indent.length > maxIndent) continue;
    if (indent.length > 0 && text.includes('const ')) continue;
    if (at === line - 1 || indent.length < depth) return name;
  }
  return '';
}

const siteOf = (path: string, line: number): string =>
  `${path.slice('src/'.length)} ${functionAt(linesOf.get(path) ?? [], line)}`;

const write =
  /\.(?:insertInto|updateTable|deleteFrom)\(|`(?:insert|update|delete) |^\s+(?:insert into|update|delete from) /gm;

/** The functions that call a function of the file which returns a statement without executing it; null for any other function. */
function callersOf(path: string, name: string): readonly string[] | null {
  const lines = linesOf.get(path) ?? [];
  const start = lines.findIndex((line) => line.startsWith(`const ${name} = `));
  const end = lines.indexOf('', start);
  if (start < 0 || lines.slice(start, end).some((line) => /execute|hasChanged/.test(line)))
    return null;
  const call = new RegExp(`\\b${name}\\(`);
  return lines.flatMap((line, at) => (at !== start && call.test(line) ? siteOf(path, at + 1) : []));
}

/** All functions of the product that write to the journal while it runs. Notices and limits of replicas are no part of it. */
export const writeSites: ReadonlySet<string> = new Set(
  [...product]
    .filter(([path]) => !/\/(?:core-tables|migrations|outbox|replicas|table)\.ts$/.test(path))
    .flatMap(([path, source]) =>
      [...source.matchAll(write)].flatMap(({ index }) => {
        const line = source.slice(0, index).split('\n').length + Number(source[index] === '\n');
        const site = siteOf(path, line);
        return callersOf(path, site.slice(site.indexOf(' ') + 1)) ?? site;
      }),
    ),
);

const frame = /\/(src\/[^:\s]+\.ts):(\d+)/;
const maxFrames = 40;

/** The function whose statement is compiled now. */
export function siteOfStack(): string {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = maxFrames;
  const { stack = '' } = new Error();
  Error.stackTraceLimit = stackTraceLimit;
  const sites = stack.split('\n').flatMap((line) => {
    const [, path, number] = frame.exec(line) ?? [];
    return path ? siteOf(path, Number(number)) : [];
  });
  return sites.find((site) => writeSites.has(site)) ?? sites.join(' < ');
}
