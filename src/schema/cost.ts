import { type DomainName, tryParseDomainName } from '../kernel/domain-name.ts';
import type {
  CallCount,
  CostContext,
  CostMark,
  Entities,
  ListOwners,
  OnceRead,
} from '../kernel/upstream-calls.ts';
import { defaultPageSize, maxItems } from './arguments.ts';

/** The `extensions` of a field that causes upstream calls, which are counted before execution. */
export const costs = (cost: CostMark) => ({ cost });

/** The `extensions` of a field that one `tldlist` of the operation serves. */
export const costsTldList = costs((count, { refresh }) =>
  costsRead(count, 'tldlist', refresh === true),
);

/** The `extensions` of a price for which the price list is read where prices are those of a shop. */
export const costsShopPrice = costs((count) => {
  if (count.hasShopPrices) count.once('tldlist');
  return noEntities;
});

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
export const mergeContexts = (all: readonly CostContext[]): CostContext => {
  const owners = all.flatMap((context) => context.owners ?? []);
  return {
    domains: together(all.map(({ domains }) => domains)),
    contacts: together(all.map(({ contacts }) => contacts)),
    purchases: together(all.map(({ purchases }) => purchases)),
    ...(owners.length > 0 && {
      owners: {
        key: owners.map(({ key }) => key).join(),
        amount: owners.reduce((sum, { amount }) => sum + amount, 0),
      },
    }),
  };
};

const together = (all: readonly (Entities | undefined)[]): Entities => ({
  names: all.flatMap((entities) => entities?.names ?? []),
  others: all.reduce((sum, entities) => sum + (entities?.others ?? 0), 0),
});

/** The rows that a count or a sum of a stored list costs: the database counts up to 10,000 rows, or reads all for a sum. */
const rowsOfSum = 20;

/** One object of the journal. Each selection reads it. */
export const costsOwner = (count: CallCount, key: string): ListOwners => {
  count.listRows(1);
  return { key, amount: 1 };
};

/** The cost of an object of the journal that is read by its id. */
export const costsObject =
  (what: string) =>
  (count: CallCount, id: string): CostContext => ({ owners: costsOwner(count, `${what} ${id}`) });

/** One object of the journal for each owner. Each selection reads it. */
export const costsEach = (
  count: CallCount,
  { owners = oneOwner }: CostContext,
  key: string,
): ListOwners => {
  count.listRows(owners.amount);
  return ownersBelow({ owners }, key, 1);
};

/** A page of each of `lists` stored lists: its rows, its total count, and a row that shows whether more follow. */
export const costsPage = (
  count: CallCount,
  list: string,
  args: PageSize,
  lists = 1,
): ListOwners => {
  const key = `${list} ${JSON.stringify(args)}`;
  const amount = lists * pageSize(args);
  count.listRows(amount + lists * (1 + rowsOfSum));
  return { key, amount };
};

/** A page of a stored list that each domain of the context has. */
export const costsPageOfDomains = (
  count: CallCount,
  list: string,
  args: PageSize,
  { domains = oneDomain }: CostContext,
): CostContext => {
  const key = `${list} of ${domains.names} ${domains.others}`;
  const owners = costsPage(count, key, args, domains.names.length + domains.others);
  return { domains, purchases: domains, owners };
};

/** Of a domain whose parent has no cost. */
const oneDomain: Entities = { names: [], others: 1 };

/** A list that each owner has, `rows` of each. */
export const costsList = (
  count: CallCount,
  { owners = oneOwner }: CostContext,
  rows: number,
): void => count.listRows(owners.amount * rows);

/** The rows of a list that each owner has, as owners of lists of their own. */
export const ownersBelow = (
  { owners = oneOwner }: CostContext,
  list: string,
  rows: number,
): ListOwners => ({ key: `${list} of ${owners.key}`, amount: owners.amount * rows });

/** The domains that the journal has for a filter. */
export function costsFilter(
  count: CallCount,
  filter: { readonly customer?: unknown; readonly labels?: unknown } | null | undefined,
): void {
  const { customer, labels } = filter ?? {};
  if (customer || labels) count.rows(`names ${JSON.stringify([customer, labels])}`, rowsOfSum);
}

/** A value of the journal that each domain of the context has. */
export const costsOfDomains = (
  count: CallCount,
  what: string,
  { domains = oneDomain }: CostContext,
): void =>
  count.rows(
    `${what} of ${domains.names} ${domains.others}`,
    domains.names.length + domains.others,
  );

/** A list of each owner that the database reads in whole, for a count, a sum or a filter. */
export const costsSum = (
  count: CallCount,
  { owners = oneOwner }: CostContext,
  list: string,
): CostContext => {
  count.rows(`${list} of ${owners.key}`, owners.amount * rowsOfSum);
  return noEntities;
};

/** Of a field whose parent has no cost. */
const oneOwner: ListOwners = { key: '', amount: 1 };

interface PageSize {
  readonly first?: number | null;
  readonly last?: number | null;
}

/** Highest number of items that `first` permits, also when it is not valid. */
export const lengthOf = (first: number, most: number): number => Math.min(Math.max(0, first), most);

/** Highest number of items of a page, also when its arguments are not valid. */
export function pageSize({ first, last }: PageSize): number {
  const size = first ?? last ?? defaultPageSize;
  return lengthOf(size, maxItems);
}
