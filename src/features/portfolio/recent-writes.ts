import type { DomainName } from '../../kernel/domain-name.ts';
import { raceAbort } from '../../lib/waits.ts';
import type { CallOptions } from '../../upstream/client/operation.ts';
import type { DomainDetails } from '../../upstream/domain-api/shapes.ts';

type ReadDetails = DomainDetails | null;
/** Without the signal of the first requester: other requesters may wait for the same read. */
type ReadOptions = Pick<CallOptions, 'onCall' | 'budget' | 'requestId' | 'trace'>;
type ReadRow = (name: DomainName, options: ReadOptions) => Promise<ReadDetails>;

interface RecentWrite {
  /** The number of the change. */
  readonly at: number;
  /** The read after the change, which concurrent requesters share. */
  read?: Promise<ReadDetails>;
  /** The row, once it was read. */
  row?: ReadDetails;
}

/** The domains that this process or another replica has written, for a list that was requested before the write. */
export function createRecentWrites(readRow: ReadRow) {
  let count = 0;
  /** The last change of each domain. */
  const changes = new Map<DomainName, RecentWrite>();

  const readOnce = (
    name: DomainName,
    change: RecentWrite,
    options: ReadOptions,
  ): Promise<ReadDetails> => {
    change.read ??= readRow(name, options).finally(() => {
      delete change.read;
    });
    return change.read;
  };

  return {
    count: () => count,
    record(name: DomainName): void {
      count += 1;
      changes.set(name, { at: count });
    },
    /** The names that were changed and not read since. */
    unread: (): readonly DomainName[] =>
      [...changes].filter(([, change]) => change.row === undefined).map(([name]) => name),
    /** Reads each name; `take` receives the rows of names that were not changed again during the read. */
    async read(
      names: readonly DomainName[],
      { signal, onCall, requestId, trace, budget }: CallOptions,
      take: (name: DomainName, row: ReadDetails) => void,
    ): Promise<void> {
      const readOptions = { requestId, trace, budget, ...(onCall && { onCall }) };
      const reads = names.map(async (name) => {
        const change = changes.get(name);
        if (!change) return;
        const row = await readOnce(name, change, readOptions);
        if (changes.get(name) !== change || change.row !== undefined) return;
        change.row = row;
        take(name, row);
      });
      await raceAbort(Promise.all(reads), signal);
    },
    /** The changes that a list lacks when it was requested after `seen` changes; the earlier ones are discarded. */
    since(seen: number): readonly (readonly [DomainName, ReadDetails])[] {
      for (const [name, { at }] of changes) if (at <= seen) changes.delete(name);
      return [...changes].flatMap(([name, { row }]) =>
        row === undefined ? [] : [[name, row] as const],
      );
    },
  };
}
