import type { DomainName } from '../../kernel/domain-name.ts';
import { unlessAborted } from '../../kernel/unless-aborted.ts';
import type { DomainDetails } from '../../upstream/domain-api/shapes.ts';
import type { CallOptions } from '../../upstream/operation.ts';

type Row = DomainDetails | null;
/** Not with the signal of who asks first: others may wait for the same. */
type Asking = Pick<CallOptions, 'onCall' | 'budget' | 'requestId' | 'trace'>;
type ReadRow = (name: DomainName, options: Asking) => Promise<Row>;

/** What this process has changed, for a list that was asked for before it did. */
export function createWrites(readRow: ReadRow) {
  let count = 0;
  /** Which change of all it was, by name; and what the service said of the name afterwards, once it was asked. */
  const touched = new Map<DomainName, { readonly at: number; readonly row?: Row }>();
  const underWay = new Map<DomainName, Promise<Row>>();

  /** Once for all who ask at a time. */
  const ask = (name: DomainName, options: Asking): Promise<Row> => {
    const known = underWay.get(name);
    if (known) return known;
    const asked = readRow(name, options).finally(() => {
      if (underWay.get(name) === asked) underWay.delete(name);
    });
    underWay.set(name, asked);
    return asked;
  };

  return {
    count: () => count,
    touched(name: DomainName): void {
      count += 1;
      touched.set(name, { at: count });
      // What is being asked for may be from before.
      underWay.delete(name);
    },
    /** The names that were changed, and not asked about since. */
    unread: (): readonly DomainName[] =>
      [...touched].filter(([, change]) => change.row === undefined).map(([name]) => name),
    /** Asks about each; `take` is called for those that were not changed again meanwhile. */
    async read(
      names: readonly DomainName[],
      { signal, onCall, requestId, trace, budget }: CallOptions,
      take: (name: DomainName, row: Row) => void,
    ): Promise<void> {
      const asking = { requestId, trace, budget, ...(onCall && { onCall }) };
      const reads = names.map(async (name) => {
        const at = touched.get(name)?.at;
        const row = await ask(name, asking);
        const now = touched.get(name);
        if (at === undefined || now?.at !== at || now.row !== undefined) return;
        touched.set(name, { at, row });
        take(name, row);
      });
      await unlessAborted(Promise.all(reads), signal);
    },
    /** What a list lacks that was asked for after so many changes; what it holds is forgotten here. */
    since(seen: number): readonly (readonly [DomainName, Row])[] {
      for (const [name, { at }] of touched) if (at <= seen) touched.delete(name);
      return [...touched].flatMap(([name, { row }]) =>
        row === undefined ? [] : [[name, row] as const],
      );
    },
  };
}
