import { type DomainName, tryParseDomainName } from '../kernel/domain-name.ts';
import type {
  CallCount,
  CostContext,
  CostMark,
  Entities,
  OnceRead,
} from '../kernel/upstream-calls.ts';
import { defaultPageSize, mostItems } from './arguments.ts';

/** The `extensions` of a field that causes upstream calls, which are counted before execution. */
export const costs = (cost: CostMark) => ({ cost });

/** The `extensions` of a field that one `tldlist` of the operation serves. */
export const costsTldList = costs((count, { refresh }) =>
  costsRead(count, 'tldlist', refresh === true),
);

/** The `extensions` of a write that is sent once, to the Account API. */
export const costsOneWrite = costs((count) => {
  count.calls(1);
  return noEntities;
});

/** The `extensions` of a journal read: rate and cost limits never refuse a client that reads the outcome of a purchase. */
export const neverLimited = { neverLimited: true };

/** The context of a field that returns no entity with a cost. */
export const noEntities: CostContext = {};

export const named = (names: readonly string[]): Entities => ({ names, others: 0 });

/** The texts that are domain names, in canonical form. */
export const namesIn = (texts: readonly string[]): readonly DomainName[] =>
  texts.map(tryParseDomainName).filter((name) => name !== null);

/** A read of which one call serves the whole operation. */
export const costsRead = (count: CallCount, read: OnceRead, refresh = false): CostContext => {
  count.once(read, refresh);
  return noEntities;
};

/** Domains that are read by name. */
export const costsDomains = (count: CallCount, names: readonly DomainName[]): CostContext => {
  const domains = named(names);
  count.domains(domains);
  return { domains };
};

/** The entities of several contexts. */
export const mergeContexts = (all: readonly CostContext[]): CostContext => ({
  domains: together(all.map(({ domains }) => domains)),
  contacts: together(all.map(({ contacts }) => contacts)),
  purchases: together(all.map(({ purchases }) => purchases)),
});

const together = (all: readonly (Entities | undefined)[]): Entities => ({
  names: all.flatMap((entities) => entities?.names ?? []),
  others: all.reduce((sum, entities) => sum + (entities?.others ?? 0), 0),
});

/** Highest number of items of a page, also when its arguments are not valid. */
export function pageSize({ first, last }: { first?: number | null; last?: number | null }): number {
  const size = first ?? last ?? defaultPageSize;
  return Math.min(Math.max(0, size), mostItems);
}
