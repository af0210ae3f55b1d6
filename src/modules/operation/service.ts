import type {
  OperationFilter,
  OperationPage,
  OperationPosition,
  OperationRecord,
} from '../../persistence/store.ts';
import { faultOf, type SettleDeps, settleByReading } from './settle.ts';
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
  readonly watcher: Watcher;
}

/** Milliseconds that a read of an open operation waits for the service; then it is told as the journal has it. */
const patienceMs = 700;

/** Reads of the journal. Asking for one operation also asks the service whether it came true, when that is still open. */
export function createOperationService(deps: OperationDeps) {
  const { journal, account, clock } = deps;
  const settled = async (operation: OperationRecord | null): Promise<OperationRecord | null> => {
    if (!operation) return null;
    const told = new AbortController();
    const unsettled = () => operation;
    const outOfTime = clock.wait(patienceMs, told.signal).then(unsettled, unsettled);
    try {
      // The look goes on without whoever asked, and what it finds is written down.
      return await Promise.race([settleByReading(deps, operation), outOfTime]);
    } finally {
      told.abort();
    }
  };
  const isAny = async (filter: OperationFilter, place: Partial<OperationPage>) =>
    (await journal.list(account, { filter, limit: 1, ...place })).length > 0;

  return {
    faultOf,
    ended: deps.watcher.ended,
    byId: async (id: string) => settled(await journal.byId(account, id)),
    byKey: async (key: string) => settled(await journal.byKey(account, key)),
    async list({ filter = {}, ...page }: OperationPage): Promise<ListedOperations> {
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
