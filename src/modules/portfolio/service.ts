import type { DomainReads } from '../domain/loader.ts';
import { createDomainFilter, type DomainFilter } from './filter.ts';
import { domainPlace } from './order.ts';

/** The account's domains as one list: the service can't page, so all pages are cut from one read. */
export const createPortfolioService = ({ domains }: { readonly domains: DomainReads }) => ({
  /** Where domains stand; known before anything is read, so that a bad cursor costs no call. */
  placeIn: domainPlace,

  async list(filter: DomainFilter | null | undefined) {
    const { domains: all, complete, totalCount } = await domains.list();
    return {
      chosen: filter ? all.filter(createDomainFilter(filter)) : all,
      complete,
      upstreamCount: totalCount,
    };
  },
});
