import type { Caller } from '../../kernel/caller.ts';
import type { PurchaseFilter, PurchaseRecord } from '../../persistence/store.ts';

/** A caller sees its own purchases, with the scope `ops` all of the account. */
export const isVisibleTo = (
  { name, scopes }: Caller,
  purchase: Pick<PurchaseRecord, 'caller'>,
): boolean => scopes.has('ops') || purchase.caller === name;

/** The filter of visible purchases. A caller without a name has no purchases of its own. */
export const visibleTo = ({ name, scopes }: Caller): Pick<PurchaseFilter, 'caller'> =>
  scopes.has('ops') ? {} : { caller: name ?? '' };
