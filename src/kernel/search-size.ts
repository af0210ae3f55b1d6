/** What decides how many names a search asks about at most. */
interface Search {
  readonly tlds?: readonly string[] | null | undefined;
  readonly filter?: Filter | null | undefined;
}

interface Filter {
  readonly available?: boolean | null | undefined;
  readonly premium?: boolean | null | undefined;
  readonly maxPrice?: object | null | undefined;
  readonly maxRenewalPrice?: object | null | undefined;
  readonly first?: number | null | undefined;
  readonly suggestions?: number | null | undefined;
}

/** TLDs of one search, chosen or not. */
export const mostTlds = 1_000;
/** Results when no TLDs were chosen. */
const firstOfAll = 100;

/** Whether a result can still fall through once it is known. */
export const isSelective = ({ available, premium, maxPrice, maxRenewalPrice }: Filter): boolean =>
  typeof available === 'boolean' || typeof premium === 'boolean' || !!maxPrice || !!maxRenewalPrice;

/** So many results of the label itself are told at most. */
export const mostResults = ({ tlds, filter }: Search): number =>
  filter?.first ?? (tlds ? mostTlds : firstOfAll);

/** So many names are asked about at most, suggestions among them. */
export function mostNames(search: Search): number {
  const { tlds, filter } = search;
  // A label may bring a TLD of its own along.
  const all = tlds ? tlds.length + 1 : mostTlds;
  const asked = isSelective(filter ?? {}) ? all : Math.min(all, mostResults(search));
  return asked + (filter?.suggestions ?? 0);
}
