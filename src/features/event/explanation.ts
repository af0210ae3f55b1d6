import { type DomainName, isSameHosts } from '../../kernel/domain-name.ts';
import type { PurchaseRecord, PurchaseState } from '../../persistence/purchase-record.ts';
import type { Difference } from './compare.ts';
import type { EventType, NewEvent } from './log.ts';
import type { DomainWrite, WrittenField } from './write-store.ts';

/** The facts of an event about its cause. */
export type Cause = Pick<NewEvent, 'source' | 'caller' | 'purchaseId'>;

const unexplained: Cause = { source: 'UPSTREAM', caller: null, purchaseId: null };

/** The writes that cause a difference of this type; a type that is absent has none. */
const fieldsOf: { readonly [Type in EventType]?: readonly WrittenField[] } = {
  STATE_CHANGED: ['sync'],
  EXPIRY_CHANGED: ['sync'],
  NAME_SERVERS_CHANGED: ['nameServers', 'sync'],
  TRANSFER_UNLOCKED: ['transferLocked', 'sync'],
  TRANSFER_LOCKED: ['transferLocked', 'sync'],
  PRIVACY_CHANGED: ['privacyProtected', 'sync'],
};

/** Returns the cause of a difference: the last write that set the value, or a sync, which may set any. */
export function createExplanations(writes: readonly DomainWrite[]) {
  const byDomain = Map.groupBy(writes, ({ domain }) => domain);
  const used = new Set<string>();
  return {
    causeOf(domain: DomainName, difference: Difference): Cause {
      const fields = fieldsOf[difference.type] ?? [];
      const ofField = (byDomain.get(domain) ?? []).filter(({ field }) => fields.includes(field));
      const at = ofField.findLastIndex((write) => sets(write, difference.after));
      const write = ofField[at];
      if (!write) return unexplained;
      // The earlier ones were overwritten.
      for (const { id } of ofField.slice(0, at + 1)) used.add(id);
      return { source: 'GATEWAY', caller: write.caller, purchaseId: null };
    },
    /** The writes that cause no later difference: those that caused or preceded one, and those that the row of their domain shows. */
    spent: (isShown: (write: DomainWrite) => boolean): readonly string[] =>
      writes.filter((write) => used.has(write.id) || isShown(write)).map(({ id }) => id),
  };
}

/** Whether a write set the value that was found. */
export function sets(
  { field, value }: Pick<DomainWrite, 'field' | 'value'>,
  found: string | null,
): boolean {
  if (value === null || found === null) return field === 'sync';
  return field === 'nameServers'
    ? isSameHosts(value.split(' '), found.split(' '))
    : value === found;
}

/** A purchase in these states has not added its domain. */
const notMade: readonly PurchaseState[] = ['HELD', 'FAILED'];

/** The purchase that added a domain; it is later than the last removal of the domain. */
export function causeOfAddition(
  purchases: readonly PurchaseRecord[],
  removedAt: Date | null,
): Cause {
  const purchase = purchases.findLast(
    ({ state, claimedAt }) =>
      !notMade.includes(state) && (removedAt === null || claimedAt > removedAt),
  );
  if (!purchase) return unexplained;
  return { source: 'GATEWAY', caller: purchase.caller, purchaseId: purchase.id };
}
