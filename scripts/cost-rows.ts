import { readFileSync } from 'node:fs';
import { code } from './markdown.ts';

// The table of docs/costs.md, which `npm run docs` writes from the samples of the tests. The documents of the package are made
// from the table, so that no build needs the tests.

const page = readFileSync(new URL('../docs/costs.md', import.meta.url), 'utf8');
const [, text = ''] = /<!-- table: calls -->\n([\s\S]*?)<!-- end of table -->/.exec(page) ?? [];
const rows = text
  .trim()
  .split('\n')
  .slice(2)
  .map((line) => line.replace(/^\| | \|$/g, '').split(' | '));
const names = rows.map(([name]) => name);

/** Root fields are shown without their type. */
export const costField = (field: string): string =>
  code(field.replace(/^(Query|Mutation|Subscription)\./, ''));

/** The calls and the exceptions of a field, as in the table. */
export function costCells(field: string): readonly string[] | null {
  const name = costField(field);
  // A subscription may have the name of a query, whose row is the first one.
  const place = field.startsWith('Subscription.') ? names.lastIndexOf(name) : names.indexOf(name);
  const [, ...cells] = rows[place] ?? [];
  return cells.length > 0 ? cells : null;
}
