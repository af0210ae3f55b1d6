import { type Html, html } from './html.ts';

/** A row and the name by which an address can point at it. */
interface Row {
  readonly id: string;
  /** One for each head; the first is what the row is about. */
  readonly cells: readonly Html[];
}

/** A table that a narrow screen shows as a list, each cell behind its head. */
export const table = (heads: readonly string[], rows: readonly Row[]): Html => html`<table>
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>
${rows.map(({ id, cells }) => html`<tr id="${id}">${cells.map((cell, index) => cellOf(cell, heads[index] ?? '', index === 0))}</tr>\n`)}</tbody>
</table>`;

const cellOf = (cell: Html, head: string, isFirst: boolean): Html =>
  isFirst ? html`<th scope="row">${cell}</th>` : html`<td data-head="${head}">${cell}</td>`;
