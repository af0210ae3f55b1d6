import type { Caller } from '../../kernel/caller.ts';
import type { PurchaseFilter, PurchaseRecord } from '../../persistence/store.ts';

/** Which purchases a caller may know of: with `ops` all of the account, otherwise its own. */
export const isVisibleTo = (
  { name, scopes }: Caller,
  purchase: Pick<PurchaseRecord, 'caller'>,
): boolean => scopes.has('ops') || purchase.caller === name;

/** The same for a list. Who has no name has made none that could be told from those of others. */
export const visibleTo = ({ name, scopes }: Caller): Pick<PurchaseFilter, 'caller'> =>
  scopes.has('ops') ? {} : { caller: name ?? '' };
