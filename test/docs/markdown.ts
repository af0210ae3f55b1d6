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
  'examples/storefront/README.md',
  'examples/webhook-receiver/README.md',
  ...globSync('docs/**/*.md', { cwd: root }),
];

export const readText = (file: string): string => readFileSync(`${root}${file}`, 'utf8');

/** The rows of the marked table without its head; cells as written. */
export function rowsOf(file: string, name: string): readonly (readonly string[])[] {
  const between = readText(file)
    .split(`<!-- table: ${name} -->`)[1]
    ?.split('<!-- end of table -->')[0];
  if (between === undefined) throw new Error(`${file} has no table "${name}".`);
  return between
    .trim()
    .split('\n')
    .slice(2)
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
