import { valueOr } from '../../kernel/field-result.ts';
import type { Clock } from '../../lib/clock.ts';
import type { DomainReads } from '../domain/loader.ts';
import { listedPrice, type TldReads } from '../tld/loader.ts';
import type { DomainFilter } from './filter.ts';
import { monthsFrom } from './months.ts';
import { type DomainPlace, domainPlace } from './order.ts';
import { cutPage, type Wish } from './page.ts';
import type { Portfolio } from './snapshot.ts';
import { countDomains, type RenewalPrice } from './stats.ts';

interface PortfolioDeps {
  readonly domains: Pick<DomainReads<Portfolio>, 'list' | 'refreshedList'>;
  readonly tlds: TldReads;
  readonly clock: Clock;
}

export type DomainStats = Awaited<ReturnType<ReturnType<typeof createPortfolioService>['count']>>;

type Filter = DomainFilter | null | undefined;

/** The account's domains as one list: the service can't page, so all pages are cut from one read. */
export function createPortfolioService({ domains, tlds, clock }: PortfolioDeps) {
  const renewalPrice: RenewalPrice = async (name) => {
    const found = await tlds.above(name);
    return found && valueOr(listedPrice(found.tld, 'RENEWAL', 1), null);
  };
  const read = (refresh: boolean) => (refresh ? domains.refreshedList() : domains.list());

  return {
    /** Where domains stand; known before anything is read, so that a bad cursor costs no call. */
    placeIn: domainPlace,

    async page(filter: Filter, place: DomainPlace, wish: Wish, refresh: boolean) {
      const { index, ...facts } = await read(refresh);
      return { ...facts, ...cutPage(index, index.choose(filter, clock.now()), place, wish) };
    },

    async count(filter: Filter, refresh: boolean) {
      const { index, asOf, complete } = await read(refresh);
      const now = clock.now();
      const choice = index.choose(filter, now);
      const counts = countDomains(index.columns, choice.bits, index.expiredAt(now));
      return {
        asOf,
        complete,
        totalCount: choice.count,
        ...counts,
        /** From the present month on. */
        renewals: (months: number) =>
          counts.renewals(monthsFrom(clock.now(), months), renewalPrice),
      };
    },
  };
}
