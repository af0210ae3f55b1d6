import type { PromiseRow } from '../promises.ts';

/** The sections of the README whose bullets, sentences and rows are promises. */
const sections = ['What you get', 'What a query costs', 'How a purchase ends'];

/** Sentences without their marks of links and bold text. */
const sentencesOf = (text: string): readonly string[] =>
  text
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll('**', '')
    .split(/(?<=[.:])\s+/);

const cellsOf = (line: string): readonly string[] =>
  line
    .replace(/^\| | \|$/g, '')
    .split(' | ')
    .map((cell) => cell.trim());

/** The promises of the README, one by one. */
export function promisesOfReadme(readme: string): readonly string[] {
  return sections.flatMap((section) => {
    const [, after] = readme.split(`\n## ${section}\n`);
    if (after === undefined) throw new Error(`README.md has no section "${section}".`);
    const [text = ''] = after.split('\n## ');
    // A generated table has its own test.
    const lines = text.replace(/<!-- table:[\s\S]*?<!-- end of table -->/g, '').split('\n');
    const isRow = (line: string) => line.startsWith('| ');
    const rows = lines.filter(isRow).slice(2);
    return [
      ...lines.filter((line) => !isRow(line)).flatMap(promisesOfLine),
      ...rows.map((row) => cellsOf(row).join(': ')),
    ];
  });
}

function promisesOfLine(line: string): readonly string[] {
  if (line.startsWith('- ')) {
    // The bold words before the first sentence are a heading.
    return sentencesOf(line.slice(2).replace(/^\*\*[^*]+\.\*\* /, ''));
  }
  // A sentence with a link refers to another page.
  return line
    .split(/(?<=\.)\s+/)
    .filter((sentence) => sentence !== '' && !sentence.includes(']('))
    .flatMap(sentencesOf);
}

/** The promises of docs/purchases.md by their ids. */
export const promisesOfPurchases = (page: string): ReadonlyMap<string, string> =>
  new Map(
    [...page.matchAll(/^\| ([IS]\d+) \| (.+) \|$/gm)].map(([, id = '', text = '']) => [id, text]),
  );

/** The titles of tests and groups in a source; a value in a title is `…`. */
export const titlesIn = (source: string): ReadonlySet<string> =>
  new Set(
    [...source.matchAll(/\(\s*(['"`])((?:\\.|(?!\1)[^\\])+)\1\s*,/g)].map(([, , title = '']) =>
      title.replace(/\$\{[^}]*\}/g, '…').replaceAll(/\\(['"`])/g, '$1'),
    ),
  );

export interface Pages {
  readonly readme: string;
  readonly purchases: string;
  /** The source of a file below `test/`; null when there is none. */
  readonly readTest: (path: string) => string | null;
}

/** The problems of the index of promises, one sentence each. */
export function problemsOf(rows: readonly PromiseRow[], pages: Pages): readonly string[] {
  const problems: string[] = [];
  const ids = new Set<string>();
  const inPurchases = promisesOfPurchases(pages.purchases);
  const readme = sentencesOf(pages.readme.replace(/\s+/g, ' ')).join(' ');
  const inReadme = promisesOfReadme(pages.readme);

  for (const { id, promise, tests } of rows) {
    if (ids.has(id)) problems.push(`The promise ${id} has two rows.`);
    ids.add(id);
    if (promise === null && !inPurchases.has(id)) {
      problems.push(`docs/purchases.md has no promise ${id}.`);
    }
    const isInReadme = () => inReadme.includes(promise ?? '') || readme.includes(promise ?? '');
    if (id.startsWith('R') && !isInReadme()) {
      problems.push(`README.md no longer has the sentence of ${id}: "${promise}"`);
    }
    const titles = Object.entries(tests).flatMap(([path, all]) =>
      all.map((title) => [path, title] as const),
    );
    if (titles.length === 0) problems.push(`The promise ${id} has no test.`);
    for (const [path, title] of titles) {
      const source = pages.readTest(path);
      if (source === null) {
        problems.push(`The promise ${id} names test/${path}, which does not exist.`);
      } else if (!titlesIn(source).has(title)) {
        problems.push(`The promise ${id} names a test that test/${path} does not have: "${title}"`);
      }
    }
  }

  const listed = new Set(rows.map(({ promise }) => promise));
  for (const promise of inReadme) {
    if (!listed.has(promise)) {
      problems.push(
        `README.md promises something that no row of test/promises.ts has: "${promise}"`,
      );
    }
  }
  for (const id of inPurchases.keys()) {
    if (!ids.has(id)) problems.push(`docs/purchases.md has the promise ${id}, and no row has it.`);
  }
  return problems;
}
