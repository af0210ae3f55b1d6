import { StartError } from '../../lib/errors.ts';
import type { AuditCheck, KnownRow } from './store.ts';

/** The result of a verification in sentences. @throws StartError when the known row was deleted because of its age */
export function reportOf(
  account: string,
  { position, hash, deletedUntil, flaw }: AuditCheck,
  known: KnownRow | undefined,
) {
  const log = `The audit log of ${account}`;
  const old =
    deletedUntil > 0
      ? ` Those up to position ${deletedUntil} were deleted because of their age.`
      : '';
  if (flaw) {
    const row = `the row at position ${flaw.position} ${flaw.reason}`;
    return { isIntact: false, text: `${log} is not intact: ${row}.${old}` };
  }
  if (known && known.position < deletedUntil) {
    throw new StartError(`The row at position ${known.position} cannot be compared.${old}`);
  }
  if (position === 0) return { isIntact: true, text: `${log} has no row.` };
  const rows = `${position - deletedUntil} rows up to position ${position}`;
  return { isIntact: true, text: `${log} is intact: ${rows}, with the hash ${hash}.${old}` };
}
