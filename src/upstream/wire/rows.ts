import type { Rows } from '../client/operation.ts';

/** A row as its operation reads it; undefined for one that is left out. */
export function readRow({ read }: Rows, row: unknown): unknown {
  try {
    return read(row);
  } catch {
    // Nested too deeply for a decoder.
    return undefined;
  }
}

/** The decoder of a list's rows, without a reference to the response. */
export const reading = (rows: Rows) => (row: unknown) => readRow(rows, row);

/** The members of a row that may be stored, as the upstream sent them. */
export function storedPartOf({ stored }: Rows, row: unknown): unknown {
  const found: Record<string, unknown> = {};
  for (const name of stored) {
    if (Object.hasOwn(row as object, name)) found[name] = (row as Record<string, unknown>)[name];
  }
  return found;
}

/** The body with its rows decoded: `read`, or else the rows of the list. */
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
