import type { DomainName } from '../../../kernel/domain-name.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { DomainDetails } from '../../../upstream/domain-api/shapes.ts';
import type { RowSink } from '../../../upstream/wire/row-reader.ts';
import { countDomains } from './counts.ts';
import { expiredDomains, filterDomains } from './filter.ts';
import type { IndexedList } from './indexed-list.ts';
import { ListReading } from './list-reading.ts';
import { cutPage } from './page.ts';
import type { DomainPage, DomainSelection, ListOrder, PageQuery } from './types.ts';

export type {
  Count,
  DomainFilter,
  DomainOrderField,
  DomainPlace,
  PageQuery,
  RenewalPrice,
} from './types.ts';

/**
 * The domains of one list, indexed so that a page, a filter and a count take about 1 ms for 100,000 domains.
 *
 * `read`, `restrictedTo`, `has`, `find`, `names`, `change`, `page`, `count` and `rows` are the whole interface of this folder.
 */
export class PortfolioIndex {
  readonly #list: IndexedList;
  /** The names that it is restricted to, in their order; null for all of the list. */
  readonly #only: ReadonlySet<DomainName> | null;

  private constructor(list: IndexedList, only: ReadonlySet<DomainName> | null = null) {
    this.#list = list;
    this.#only = only;
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

  /** The list with the domains of these names only. Its `change` and `rowCount` are those of the whole list. */
  restrictedTo(names: ReadonlySet<DomainName>): PortfolioIndex {
    return new PortfolioIndex(
      this.#list,
      new Set([...names].filter((name) => this.has(name)).sort()),
    );
  }

  has(name: DomainName): boolean {
    return this.#slotOf(name) !== undefined;
  }

  /** Null for a domain that is not in the list. */
  find(name: DomainName): DomainDetails | null {
    const slot = this.#slotOf(name);
    return slot === undefined ? null : this.#list.rowAt(slot);
  }

  /** The names of the list, with later changes, in their order. */
  names(): readonly DomainName[] {
    return this.#only ? [...this.#only] : this.#list.names();
  }

  /** Number of rows in the response: two for a domain that it lists twice. Later changes do not count. */
  get rowCount(): number {
    return this.#list.rowCount;
  }

  /** Number of domains, with later changes. */
  get size(): number {
    return this.#only?.size ?? this.#list.size;
  }

  /** Replaces the row of one domain; null removes the domain. */
  change(name: DomainName, row: DomainDetails | null): void {
    this.#list.change(name, row);
  }

  page({ filter, now }: DomainSelection, query: PageQuery): DomainPage {
    return cutPage(this.#list, this.#select(filter, now), query);
  }

  /** The selected domains of now in an order, while later changes are made. A row is decoded when it is read. */
  rows({ filter, now }: DomainSelection, order: ListOrder): Iterable<DomainDetails> {
    return this.#list.rows(this.#select(filter, now), order);
  }

  count({ filter, now }: DomainSelection): ReturnType<typeof countDomains> {
    const selected = this.#select(filter, now);
    return countDomains(this.#list.columns, selected, expiredDomains(this.#list, now));
  }

  #slotOf(name: DomainName): number | undefined {
    return this.#only?.has(name) === false ? undefined : this.#list.slotOf(name);
  }

  #select(filter: DomainSelection['filter'], now: Date) {
    const among = [...(filter?.among ?? []), ...(this.#only ? [[...this.#only]] : [])];
    return filterDomains(this.#list, { ...filter, among }, now);
  }
}
