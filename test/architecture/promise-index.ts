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
    // The table of costs has its own test.
    const lines = text.replace(/^\| field .*(?:\n\|.*)*/m, '').split('\n');
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

/** The paths of test files by the tags of their tests. */
export function filesByTag(
  sources: Iterable<readonly [path: string, source: string]>,
): ReadonlyMap<string, readonly string[]> {
  const found = [...sources].flatMap(([path, source]) =>
    [...source.matchAll(/\btags: \[([^\]]*)\]/g)]
      .flatMap(([, list = '']) => [...list.matchAll(/'(\w+)'/g)])
      .map(([, tag = '']) => ({ tag, path })),
  );
  return new Map(
    [...Map.groupBy(found, ({ tag }) => tag)].map(([tag, all]) => [
      tag,
      [...new Set(all.map(({ path }) => path))],
    ]),
  );
}

export interface Pages {
  readonly readme: string;
  readonly purchases: string;
  readonly files: ReadonlyMap<string, readonly string[]>;
}

/** The problems of the index of promises, one sentence each. Vitest itself refuses a tag that is not in the index. */
export function problemsOf(
  promises: Readonly<Record<string, string | null>>,
  { readme, purchases, files }: Pages,
): readonly string[] {
  const inPurchases = promisesOfPurchases(purchases);
  const sentences = sentencesOf(readme.replace(/\s+/g, ' ')).join(' ');
  const inReadme = promisesOfReadme(readme);
  const isInReadme = (text: string) => inReadme.includes(text) || sentences.includes(text);
  const listed = new Set(Object.values(promises));

  return [
    ...Object.entries(promises).flatMap(([id, promise]) => [
      ...(files.has(id) ? [] : [`The promise ${id} has no test.`]),
      ...(promise === null && !inPurchases.has(id)
        ? [`docs/purchases.md has no promise ${id}.`]
        : []),
      ...(id.startsWith('R') && !isInReadme(promise ?? '')
        ? [`README.md no longer has the sentence of ${id}: "${promise}"`]
        : []),
    ]),
    ...inReadme
      .filter((promise) => !listed.has(promise))
      .map((promise) => `README.md promises what test/promises.ts does not have: "${promise}"`),
    ...[...inPurchases.keys()]
      .filter((id) => !(id in promises))
      .map((id) => `docs/purchases.md has the promise ${id}, and test/promises.ts does not.`),
  ];
}
