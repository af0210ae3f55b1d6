/** Three figures that count: `1,230`, `45.6`, `0.789`. */
export function short(value: number | null): string {
  if (value === null || Number.isNaN(value)) return '–';
  const digits = value === 0 ? 0 : Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  const rounded = digits === 0 ? Number(value.toPrecision(3)) : value;
  return rounded.toLocaleString('en', {
    minimumFractionDigits: Math.min(digits, 2),
    maximumFractionDigits: Math.min(digits, 2),
  });
}

export const percent = (share: number): string =>
  Number.isNaN(share) ? '–' : `${Math.round(share * 100)} %`;

/** A table as Markdown; the first column is text, the others are numbers. */
export function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const rule = head.map((_, at) => (at < 1 ? '---' : '---:'));
  return [line(head), line(rule), ...rows.map(line)].join('\n');
}
