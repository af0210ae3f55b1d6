import type { Caller } from '../../kernel/caller.ts';
import type { DomainName } from '../../kernel/domain-name.ts';
import type {
  OperationFilter,
  OperationPage,
  OperationPosition,
  OperationRecord,
} from '../../persistence/store.ts';
import { faultOf, isOpen, type SettleDeps, settleByReading } from './settle.ts';
import { isVisibleTo, visibleTo } from './visible.ts';
import type { Watcher } from './watcher.ts';

export type { OperationRecord, OperationState } from '../../persistence/store.ts';

/** A page of the journal, newest first, with what lies on either side of it. */
export interface ListedOperations {
  readonly operations: readonly OperationRecord[];
  readonly before: boolean;
  readonly after: boolean;
  readonly totalCount: number;
}

export interface OperationDeps extends SettleDeps {
  /** Who asks; what this caller may not know of is as if it were not there. */
  readonly caller: Caller;
  readonly watcher: Watcher;
  /** What is kept of the domain is from before its purchase was settled. */
  readonly touched: (name: DomainName) => void;
}

/** Who asks how a purchase ended is not kept waiting for a service that hangs; the look goes on without them. */
const longestLookMs = 500;

/** Reads of the journal. Asking for one operation also asks the service whether it came true, when that is still open. */
export function createOperationService(deps: OperationDeps) {
  const { journal, account, clock, quietWindowMs, caller } = deps;
  const isVisible = (operation: OperationRecord) => isVisibleTo(caller, operation);
  const visible = (operation: OperationRecord | null) =>
    operation && isVisible(operation) ? operation : null;

  const settle = async (operation: OperationRecord) => {
    const now = await settleByReading(deps, operation);
    if (!isOpen(now)) deps.touched(operation.domain);
    return now;
  };
  const settled = async (operation: OperationRecord | null) => {
    if (!operation || !isOpen(operation)) return operation;
    const isTold = new AbortController();
    const asItIs = () => operation;
    const outOfTime = clock.wait(longestLookMs, isTold.signal).then(asItIs, asItIs);
    try {
      return await Promise.race([settle(operation), outOfTime]);
    } finally {
      isTold.abort();
    }
  };
  const isAny = async (filter: OperationFilter, place: Partial<OperationPage>) =>
    (await journal.list(account, { filter, limit: 1, ...place })).length > 0;

  return {
    faultOf,
    /** Until then it proves nothing that the service does not have it; null once that is of no interest. */
    quietUntil: (operation: OperationRecord): Date | null =>
      operation.submittedAt && isOpen(operation)
        ? new Date(operation.submittedAt.getTime() + quietWindowMs)
        : null,
    ended: (id: string) => deps.watcher.ended(id, isVisible),
    byId: async (id: string) => settled(visible(await journal.byId(account, id))),
    byKey: async (key: string) => settled(visible(await journal.byKey(account, key))),
    async list({ filter: asked = {}, ...page }: OperationPage): Promise<ListedOperations> {
      const filter = { ...asked, ...visibleTo(caller) };
      const [operations, totalCount] = await Promise.all([
        journal.list(account, { ...page, filter }),
        journal.count(account, filter),
      ]);
      const [first, last] = [operations.at(0), operations.at(-1)];
      return {
        operations,
        totalCount,
        before: first ? await isAny(filter, { before: positionOf(first) }) : false,
        // A page of none tells nothing of what follows it.
        after: last
          ? await isAny(filter, { after: positionOf(last) })
          : page.limit === 0 && (await isAny(filter, { ...page, limit: 1 })),
      };
    },
  };
}

const positionOf = ({ claimedAt, id }: OperationRecord): OperationPosition => ({ claimedAt, id });
