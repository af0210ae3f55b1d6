import type { DomainName } from '../kernel/domain-name.ts';
import type { Recorder } from '../kernel/recorder.ts';
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
