import type { CallCount, CostMark, Led, Things } from '../kernel/call-count.ts';
import { type DomainName, isDomainName, parseDomainName } from '../kernel/domain-name.ts';
import { defaultPageSize, mostItems } from './list-limit.ts';

/** The `extensions` of a field that takes upstream calls: they are counted before the operation is executed. */
export const costs = (cost: CostMark) => ({ cost });

/** The `extensions` of a field that one `tldlist` of the operation serves. */
export const costsTldList = costs((count, { refresh }) => {
  count.once('tldlist', refresh === true);
  return nothing;
});

/** The `extensions` of a write that is sent once, to the Account API. */
export const costsOneWrite = costs((count) => {
  count.calls(1);
  return nothing;
});

/** The `extensions` of a read of the journal: no limit on what a caller may ask stands before what became of a purchase. */
export const neverLimited = { neverLimited: true };

/** What leads to none of the things that cost more. */
export const nothing: Led = {};

export const named = (names: readonly string[]): Things => ({ names, others: 0 });

/** The name that a mutation's input gives, as the list that a cost needs; empty for a text that is not a name. */
export const namesIn = (text: string): readonly DomainName[] =>
  isDomainName(text) ? [parseDomainName(text)] : [];

/** Domains that are read by name. */
export const costsDomains = (count: CallCount, names: readonly DomainName[]): Led => {
  const domains = named(names);
  count.domains(domains);
  return { domains };
};

/** What several things lead to together. */
export const ledTogether = (all: readonly Led[]): Led => ({
  domains: together(all.map(({ domains }) => domains)),
  contacts: together(all.map(({ contacts }) => contacts)),
  purchases: together(all.map(({ purchases }) => purchases)),
});

const together = (all: readonly (Things | undefined)[]): Things => ({
  names: all.flatMap((things) => things?.names ?? []),
  others: all.reduce((sum, things) => sum + (things?.others ?? 0), 0),
});

/** How many items a page has at most, whatever is wrong with its arguments. */
export function pageSize({ first, last }: { first?: number | null; last?: number | null }): number {
  const asked = first ?? last ?? defaultPageSize;
  return Math.min(Math.max(0, asked), mostItems);
}
