import type { DomainReads } from '../domain/loader.ts';
import { createDomainFilter, type DomainFilter } from './filter.ts';
import { type DomainOrderField, domainPosition } from './order.ts';

export interface PortfolioQuery {
  readonly filter?: DomainFilter | null | undefined;
  readonly orderBy?:
    | { readonly field: DomainOrderField; readonly direction: 'ASC' | 'DESC' }
    | null
    | undefined;
}

/** The account's domains as one list: the service can't page, so all pages are cut from one read. */
export const createPortfolioService = ({ domains }: { readonly domains: DomainReads }) => ({
  async list({ filter, orderBy }: PortfolioQuery) {
    const { domains: all, complete, totalCount } = await domains.list();
    const descending = orderBy?.direction === 'DESC';
    return {
      chosen: filter ? all.filter(createDomainFilter(filter)) : all,
      position: domainPosition(orderBy?.field ?? 'NAME', descending),
      descending,
      complete,
      upstreamCount: totalCount,
    };
  },
});
