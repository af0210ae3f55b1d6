import type { Slices } from '../../../lib/slices.ts';
import type { DomainDetails } from '../../../upstream/domain-api/shapes.ts';
import { isBetter } from '../../../modules/domain/lists.ts';

/** Rows between two reads of the clock. */
const rowsPerCheck = 64;

/** The slots of the rows that another row of the same name replaces. */
export async function replacedSlots(
  names: readonly string[],
  rowAt: (slot: number) => DomainDetails,
  slices: Slices,
): Promise<ReadonlySet<number>> {
  const slotOf = new Map<string, number>();
  const replaced = new Set<number>();
  for (const [slot, name] of names.entries()) {
    const other = slotOf.get(name);
    const isBest = other === undefined || isBetter(rowAt(slot), rowAt(other));
    if (isBest) slotOf.set(name, slot);
    if (other !== undefined) replaced.add(isBest ? other : slot);
    if (slot % rowsPerCheck === rowsPerCheck - 1 && slices.isOver()) await slices.next();
  }
  return replaced;
}
