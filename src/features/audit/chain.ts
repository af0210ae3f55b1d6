import { createHash, createHmac } from 'node:crypto';
import type { AuditEntryRow, AuditLogRow } from './table.ts';

/** The part of a row that its hash covers. */
type Hashed = Omit<AuditEntryRow, 'hash'>;

/** The columns in the order in which they are hashed and inserted. */
export const hashedColumns = [
  ...['account', 'position', 'at', 'begun', 'operation', 'domain', 'caller', 'customer'],
  ...['tenant', 'request_id', 'address', 'input_hash', 'outcome', 'upstream_calls'],
  ...['refusals', 'previous_hash'],
] as readonly (keyof Hashed)[];

const hashOf = (row: Hashed): string =>
  createHash('sha256')
    .update(JSON.stringify(hashedColumns.map((column) => row[column])))
    .digest('hex');

/** A row without its place in the chain. */
export type UnchainedRow = Omit<Hashed, 'position' | 'previous_hash'>;

/** The rows that follow the last row. */
export function chainAfter(
  last: Pick<AuditLogRow, 'position' | 'hash'>,
  rows: readonly UnchainedRow[],
): readonly AuditEntryRow[] {
  let previous = last;
  return rows.map((row) => {
    const hashed = { ...row, position: previous.position + 1, previous_hash: previous.hash };
    const chained = { ...hashed, hash: hashOf(hashed) };
    previous = chained;
    return chained;
  });
}

/** Why a row cannot follow another one, in a clause without its position; null when it can. */
export function flawOf(
  last: Pick<AuditLogRow, 'position' | 'hash'>,
  row: AuditEntryRow,
): string | null {
  if (row.position !== last.position + 1) return 'is missing';
  if (row.hash !== hashOf(row)) return 'was changed';
  return row.previous_hash === last.hash ? null : 'does not follow the entry before it';
}

/** Without the key no reader can guess an input, such as an auth code, from its hash. */
export const inputHash = (key: string, operation: string, input: string): string =>
  createHmac('sha256', Buffer.from(key, 'hex')).update(`${operation} ${input}`).digest('hex');
