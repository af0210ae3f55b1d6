import DataLoader from 'dataloader';
import type { DomainName } from '../kernel/domain-name.ts';
import { Fault } from '../kernel/faults.ts';
import type { Recorder } from '../kernel/recorder.ts';
import { rowsPerSlice } from '../lib/pages.ts';
import { Turns } from '../lib/slices.ts';
import { withThousands } from '../lib/text.ts';
import type { CallOptions } from '../upstream/client/operation.ts';
import type { DomainApi } from '../upstream/domain-api/domain-api.ts';
import type { CustomerView } from './customer-view.ts';
import { type Key, keysOf, Parts } from './parts.ts';
import type { Tenant } from './tenant.ts';

interface ReadsOptions {
  readonly options: () => CallOptions;
  readonly recorder: Recorder;
  /** Restricts the reads to the domains of a customer; null for the whole account. */
  readonly view: CustomerView | null;
  /** Whether the reader may know what the registrar charges. */
  readonly knowsCosts: boolean;
}

/** Reads with results that a request or a job shares, until a write. Most requests need one or two of its parts. */
export class Reads implements ReadsOptions {
  /** The parts of the tenant, which no view restricts. */
  readonly tenant: Tenant;
  /** Restricted by the view. */
  readonly api: DomainApi;
  readonly options: () => CallOptions;
  readonly recorder: Recorder;
  readonly view: CustomerView | null;
  readonly knowsCosts: boolean;
  readonly #parts: Parts<Reads>;

  constructor(tenant: Tenant, { options, recorder, view, knowsCosts }: ReadsOptions) {
    this.tenant = tenant;
    this.#parts = new Parts<Reads>(this, tenant.fills);
    this.api = view?.api ?? tenant.facts.domainApi;
    this.options = options;
    this.recorder = recorder;
    this.view = view;
    this.knowsCosts = knowsCosts;
  }

  readonly use = <Part>(key: Key<Reads, Part>): Part => this.#parts.use(key);

  /** Discards all results: a later read sends a new request. */
  forget(): void {
    this.#parts.clear();
  }

  /** Invalidates every read that a write to the domain may change. */
  invalidate(name: DomainName): void {
    for (const [key, part] of this.#parts.entries()) {
      (key as ReadsKey<unknown>).invalidate?.(part, name);
    }
  }
}

interface ReadsKey<Part> extends Key<Reads, Part> {
  /** Discards the results that a write to the domain may change. */
  readonly invalidate: ((part: Part, name: DomainName) => void) | undefined;
}

const keyOf = keysOf<Reads>('READS');

/** Reads that each `Reads` creates at their first use, with `reads.use(key)`. */
export const perReads = <Part>(
  name: string,
  create: (reads: Reads) => Part,
  invalidate?: (part: Part, name: DomainName) => void,
): ReadsKey<Part> => ({ ...keyOf(name, create), invalidate });

/** Reads that another capability may create. */
export const readsHook = <Part>(
  name: string,
  byDefault: (reads: Reads) => Part,
): Key<Reads, Part> => keyOf(name, byDefault);

/** Of all filters of a document: some seconds of CPU time, in which other requests run too. */
const maxSlices = 5_000;

/**
 * The reads of stored lists of one request, and the counts and filters of its list of domains. They run one after the other,
 * and other requests run in between: SQLite occupies the thread during a statement.
 */
export class StoredReads extends Turns {
  readonly #known = new Map<string, Promise<unknown>>();
  #slices = 0;

  /** The result of `read`, which runs once for each key. */
  once<T>(key: string, read: () => Promise<T>): Promise<T> {
    const result = (this.#known.get(key) as Promise<T> | undefined) ?? read();
    this.#known.set(key, result);
    return result;
  }

  /** Reads objects by their ids. Those that are requested together are one read of the journal, up to 100 ids. */
  batched<T extends { readonly id: string }>(
    read: (ids: readonly string[]) => Promise<readonly T[]>,
  ): (id: string) => Promise<T | null> {
    const loader = new DataLoader<string, T | null>(
      async (ids) => {
        const found = await this.inTurn(() => read([...new Set(ids)]));
        const byId = new Map(found.map((one) => [one.id, one]));
        return ids.map((id) => byId.get(id) ?? null);
      },
      // A later read returns what the journal has then.
      { cache: false, maxBatchSize: 100 },
    );
    return (id) => loader.load(id);
  }

  /** Counts a slice of a list. @throws Fault `COST_LIMIT_EXCEEDED` */
  readonly countSlice = (): void => {
    this.#slices += 1;
    if (this.#slices <= maxSlices) return;
    const most = withThousands(maxSlices * rowsPerSlice);
    throw new Fault('COST_LIMIT_EXCEEDED', {
      message: `The filters of this document need more than ${most} rows of stored lists. Add a narrower filter, such as a domain or a time, or split the document.`,
    });
  };

  /** Later reads return what the journal has then. */
  forget(): void {
    this.#slices = 0;
    this.#known.clear();
  }
}
