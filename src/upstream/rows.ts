import type { Rows } from './operation.ts';

/** A row as its operation reads it; undefined for one that is left out. */
export function readRow({ read }: Rows, row: unknown): unknown {
  try {
    return read(row);
  } catch {
    // Nested too deeply for a decoder.
    return undefined;
  }
}

/** For whoever keeps rows: it holds on to nothing of the reply that they came in. */
export const reading = (rows: Rows) => (row: unknown) => readRow(rows, row);

/** What may be kept of a row, as it was sent. */
export function keptOf({ kept }: Rows, row: unknown): unknown {
  const found: Record<string, unknown> = {};
  for (const name of kept) {
    if (Object.hasOwn(row as object, name)) found[name] = (row as Record<string, unknown>)[name];
  }
  return found;
}

/** The body with its rows read: those that were read on the way, or else what stands in the list. */
export function withRows(rows: Rows, body: unknown, read: readonly unknown[] | undefined): unknown {
  const holder = rows.at.slice(0, -1).reduce(member, body);
  const name = rows.at.at(-1) ?? '';
  const listed = member(holder, name);
  if (!Array.isArray(listed)) return body;
  const found = read ?? listed.map((row) => readRow(rows, row)).filter((row) => row !== undefined);
  Object.assign(holder as object, { [name]: found });
  return body;
}

const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
