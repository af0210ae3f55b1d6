type Row = readonly string[];

const line = (cells: Row) => `| ${cells.join(' | ')} |`;

export const code = (text: string): string => `\`${text}\``;
export const codes = (texts: readonly string[]): string => texts.map(code).join(', ') || '–';

export const table = (heads: Row, rows: readonly Row[]): string =>
  [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');
