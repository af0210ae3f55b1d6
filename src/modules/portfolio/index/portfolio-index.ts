import type { DomainName } from '../../../kernel/domain-name.ts';
import type { DomainState } from '../../../kernel/domain-state.ts';
import type { Money } from '../../../kernel/money.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { RowSink } from '../../../upstream/client/operation.ts';
import type { DomainDetails } from '../../../upstream/domain-api/shapes.ts';
import { countDomains } from './counts.ts';
import { expiredDomains, filterDomains } from './filter.ts';
import type { IndexedList } from './indexed-list.ts';
import { ListReading } from './list-reading.ts';
import { cutPage } from './page.ts';

/** Conditions for domains; every given one must be met. A field that cannot be read meets no condition. */
export interface DomainFilter {
  readonly contains?: string | null | undefined;
  readonly tlds?: readonly string[] | null | undefined;
  readonly states?: readonly DomainState[] | null | undefined;
  /** Inclusive. */
  readonly expiresAfter?: Date | null | undefined;
  /** Exclusive. */
  readonly expiresBefore?: Date | null | undefined;
  readonly transferLocked?: boolean | null | undefined;
  readonly privacyProtected?: boolean | null | undefined;
  readonly nameServer?: string | null | undefined;
}

/** The domains to select, and the time that decides which ones are expired. */
interface DomainSelection {
  readonly filter: DomainFilter | null | undefined;
  readonly now: Date;
}

export type DomainOrderField = 'NAME' | 'EXPIRES_AT' | 'REGISTERED_AT';

/** The parts of a cursor; the last one is the name of the domain. */
export type DomainPosition = readonly string[];

/** An order of domains, and the position of each domain in it. Positions compare as text. */
export interface DomainPlace {
  readonly field: DomainOrderField;
  readonly descending: boolean;
  positionOf(
    domain: Pick<DomainDetails, 'expiresAt' | 'registeredAt'> & { readonly name: string },
  ): DomainPosition;
}

export interface PageQuery {
  readonly place: DomainPlace;
  readonly limit: number;
  /** Whether the page is the end of its range rather than the start. */
  readonly fromEnd: boolean;
  readonly after: DomainPosition | null;
  readonly before: DomainPosition | null;
}

export interface DomainPage {
  readonly domains: readonly DomainDetails[];
  /** Whether selected domains precede and follow the page, and the number of all. */
  readonly more: { readonly before: boolean; readonly after: boolean; readonly totalCount: number };
}

export interface Count<Key extends string = string> {
  readonly key: Key;
  readonly count: number;
}

export interface RenewalMonth {
  readonly month: string;
  readonly count: number;
  /** One for each currency, in the order of their codes. */
  readonly totals: readonly Money[];
  readonly unpriced: number;
}

/** The price of renewing the name for one year; null when it is not known. */
export type RenewalPrice = (name: DomainName) => Promise<Money | null>;

/**
 * The domains of one list, indexed so that a page, a filter and a count take about 1 ms for 100,000 domains.
 *
 * `read`, `has`, `find`, `names`, `change`, `page`, `count` and `rows` are the whole interface of this folder.
 */
export class PortfolioIndex {
  readonly #list: IndexedList;

  private constructor(list: IndexedList) {
    this.#list = list;
  }

  /** Reads a list. While its rows equal those of `previous`, none is parsed; when all do, `previous` is its index. */
  static read(
    clock: Pick<Clock, 'monotonicMs' | 'wait'>,
    previous: PortfolioIndex | null = null,
  ): RowSink & { end(rows: readonly DomainDetails[]): Promise<PortfolioIndex> } {
    const reading = new ListReading(clock, previous === null ? null : previous.#list);
    return {
      begin: (read) => reading.begin(read),
      takeKnown: (digest) => reading.takeKnown(digest),
      take: (row, members, digest) => reading.take(row as DomainDetails, members, digest),
      /** The index of the response. `rows` has the rows that were not received: all or none. */
      async end(rows) {
        const list = await reading.end(rows);
        return previous && list === previous.#list ? previous : new PortfolioIndex(list);
      },
    };
  }

  has(name: DomainName): boolean {
    return this.#list.slotOf(name) !== undefined;
  }

  /** Null for a domain that is not in the list. */
  find(name: DomainName): DomainDetails | null {
    const slot = this.#list.slotOf(name);
    return slot === undefined ? null : this.#list.rowAt(slot);
  }

  /** The names of the list, with later changes, in their order. */
  names(): readonly DomainName[] {
    return this.#list.names();
  }

  /** Number of rows in the response: two for a domain that it lists twice. Later changes do not count. */
  get rowCount(): number {
    return this.#list.rowCount;
  }

  /** Number of domains, with later changes. */
  get size(): number {
    return this.#list.size;
  }

  /** Replaces the row of one domain; null removes the domain. */
  change(name: DomainName, row: DomainDetails | null): void {
    this.#list.change(name, row);
  }

  page({ filter, now }: DomainSelection, query: PageQuery): DomainPage {
    return cutPage(this.#list, filterDomains(this.#list, filter ?? {}, now), query);
  }

  /** All domains of now by name, while later changes are made. A row is decoded when it is read. */
  rows(): Iterable<DomainDetails> {
    return this.#list.rows();
  }

  count({ filter, now }: DomainSelection): ReturnType<typeof countDomains> {
    const selected = filterDomains(this.#list, filter ?? {}, now);
    return countDomains(this.#list.columns, selected, expiredDomains(this.#list, now));
  }
}
