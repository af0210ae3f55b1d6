import { isLost } from '../../../kernel/domain-state.ts';
import { valueOr } from '../../../kernel/field-result.ts';
import type { Slices } from '../../../lib/slices.ts';
import type { DomainDetails } from '../../../upstream/domain-api/shapes.ts';

/** Rows between two reads of the clock. */
const rowsPerCheck = 64;

/**
 * The slots of the rows that another row of the same name replaces. A list can have a row of the past, such as a deleted
 * registration, beside that of the domain.
 */
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

/** The row of a domain that the account has precedes the others, then the row that expires later. */
function isBetter(one: DomainDetails, other: DomainDetails): boolean {
  const ranks = [one, other].map(({ state, expiresAt, registeredAt, upstreamId }) => [
    isLost(state) ? 0 : 1,
    ...[expiresAt, registeredAt].map((date) => valueOr(date, null)?.getTime() ?? -Infinity),
    valueOr(upstreamId, null) ?? 0,
  ]);
  const [ranksOfOne = [], ranksOfOther = []] = ranks;
  const at = ranksOfOne.findIndex((rank, place) => rank !== ranksOfOther[place]);
  return at !== -1 && (ranksOfOne[at] as number) > (ranksOfOther[at] as number);
}
