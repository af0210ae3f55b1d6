import type { DomainName } from '../../kernel/domain-name.ts';
import { raceAbort } from '../../lib/race-abort.ts';
import type { CallOptions } from '../../upstream/client/operation.ts';
import type { DomainDetails } from '../../upstream/domain-api/shapes.ts';

type Row = DomainDetails | null;
/** Without the signal of the first requester: other requesters may wait for the same read. */
type ReadOptions = Pick<CallOptions, 'onCall' | 'budget' | 'requestId' | 'trace'>;
type ReadRow = (name: DomainName, options: ReadOptions) => Promise<Row>;

/** The domains that this process or another replica has written, for a list that was requested before the write. */
export function createRecentWrites(readRow: ReadRow) {
  let count = 0;
  /** By name: the number of its last change, and the row that was read after it, once that is known. */
  const changes = new Map<DomainName, { readonly at: number; readonly row?: Row }>();
  const inFlight = new Map<DomainName, Promise<Row>>();

  /** One read for concurrent requesters. */
  const readOnce = (name: DomainName, options: ReadOptions): Promise<Row> => {
    const known = inFlight.get(name);
    if (known) return known;
    const read = readRow(name, options).finally(() => {
      if (inFlight.get(name) === read) inFlight.delete(name);
    });
    inFlight.set(name, read);
    return read;
  };

  return {
    count: () => count,
    record(name: DomainName): void {
      count += 1;
      changes.set(name, { at: count });
      // A read in flight may return the state before the change.
      inFlight.delete(name);
    },
    /** The names that were changed and not read since. */
    unread: (): readonly DomainName[] =>
      [...changes].filter(([, change]) => change.row === undefined).map(([name]) => name),
    /** Reads each name; `take` receives the rows of names that were not changed again during the read. */
    async read(
      names: readonly DomainName[],
      { signal, onCall, requestId, trace, budget }: CallOptions,
      take: (name: DomainName, row: Row) => void,
    ): Promise<void> {
      const readOptions = { requestId, trace, budget, ...(onCall && { onCall }) };
      const reads = names.map(async (name) => {
        const at = changes.get(name)?.at;
        const row = await readOnce(name, readOptions);
        const now = changes.get(name);
        if (at === undefined || now?.at !== at || now.row !== undefined) return;
        changes.set(name, { at, row });
        take(name, row);
      });
      await raceAbort(Promise.all(reads), signal);
    },
    /** The changes that a list lacks when it was requested after `seen` changes; the earlier ones are discarded. */
    since(seen: number): readonly (readonly [DomainName, Row])[] {
      for (const [name, { at }] of changes) if (at <= seen) changes.delete(name);
      return [...changes].flatMap(([name, { row }]) =>
        row === undefined ? [] : [[name, row] as const],
      );
    },
  };
}
