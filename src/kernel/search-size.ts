/** What decides how many names a search asks about at most. */
interface Search {
  readonly label: string;
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

/** Whether a result may be left out once it is known: by the filter, or because its TLD takes no non-ASCII letters. */
export const isSelective = ({ label, filter }: Search): boolean =>
  hasSelectiveFilter(filter ?? {}) || idnLabel.test(label);

const hasSelectiveFilter = ({ available, premium, maxPrice, maxRenewalPrice }: Filter) =>
  typeof available === 'boolean' || typeof premium === 'boolean' || !!maxPrice || !!maxRenewalPrice;

const idnLabel = /\P{ASCII}|xn--/iu;

/** So many results of the label itself are told at most. */
export const mostResults = ({ tlds, filter }: Search): number =>
  filter?.first ?? (tlds ? mostTlds : firstOfAll);

/** So many names are asked about at most, suggestions among them. */
export function mostNames(search: Search): number {
  const { tlds, filter } = search;
  // A label may bring a TLD of its own along.
  const all = tlds ? tlds.length + 1 : mostTlds;
  const asked = isSelective(search) ? all : Math.min(all, mostResults(search));
  return asked + (filter?.suggestions ?? 0);
}
