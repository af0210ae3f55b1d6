import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));

export const markdownFiles: readonly string[] = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'deploy/kubernetes/README.md',
  'deploy/proxy/README.md',
  'src/package/README.md',
  ...globSync('src/features/*/README.md', { cwd: root }),
  'examples/paid-orders/README.md',
  'examples/storefront/README.md',
  'examples/webhook-receiver/README.md',
  ...globSync('docs/{*,internals/*}.md', { cwd: root }),
];

export const readText = (file: string): string => readFileSync(`${root}${file}`, 'utf8');

/** The rows of the first table below a heading of a text, without its head; cells as written. */
export function rowsOf(text: string, heading: string): readonly (readonly string[])[] {
  const [, after] = text.split(new RegExp(`^#+ ${heading}\n`, 'm'));
  const [, table] = /^\|.*\n\|[ -|]*\n((?:\|.*\n?)*)/m.exec(after ?? '') ?? [];
  if (table === undefined) throw new Error(`There is no table below "${heading}".`);
  return table
    .trim()
    .split('\n')
    .map((line) => line.replace(/^\| | \|$/g, '').split(' | '));
}

export const plain = (cell = ''): string => cell.replaceAll('`', '');

/** The fenced blocks of one language, in order. */
export const blocksOf = (file: string, language: string): readonly string[] =>
  [...readText(file).matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
    ([, text = '']) => text,
  );

/** The relative links of a text. */
export const linksOf = (text: string): readonly string[] =>
  [...text.matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, link = '']) => link);

/** The fragments by which links name the headings of a text. */
export const anchorsOf = (text: string): readonly string[] =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} -]/gu, '')
      .replaceAll(' ', '-'),
  );
