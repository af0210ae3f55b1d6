import type { Caller } from '../../kernel/caller.ts';
import type { OperationFilter, OperationRecord } from '../../persistence/store.ts';

/** Which operations a caller may know of: with `ops` all of the account, otherwise its own. */
export const isVisibleTo = (
  { name, scopes }: Caller,
  operation: Pick<OperationRecord, 'caller'>,
): boolean => scopes.has('ops') || operation.caller === name;

/** The same for a list. Who has no name has made none that could be told from those of others. */
export const visibleTo = ({ name, scopes }: Caller): Pick<OperationFilter, 'caller'> =>
  scopes.has('ops') ? {} : { caller: name ?? '' };
