/** The arguments that bound how many names a search checks. */
interface SearchSize {
  readonly label: string;
  readonly tlds?: readonly string[] | null | undefined;
  readonly filter?: ResultFilter | null | undefined;
}

/** Conditions that may leave results out. */
export interface ResultFilter {
  readonly available?: boolean | null | undefined;
  readonly premium?: boolean | null | undefined;
  readonly maxPrice?: object | null | undefined;
  readonly maxRenewalPrice?: object | null | undefined;
  readonly first?: number | null | undefined;
  readonly suggestions?: number | null | undefined;
}

/** Maximum number of TLDs of one search, chosen or not. */
export const maxTlds = 1_000;
/** Results when no TLDs were chosen. */
const firstOfAll = 100;

/** Whether a result may be left out once it is known: by the filter, or because its TLD takes no non-ASCII letters. */
export const isSelective = ({ label, filter }: SearchSize): boolean =>
  hasSelectiveFilter(filter ?? {}) || /\P{ASCII}/u.test(label) || /xn--/i.test(label);

const hasSelectiveFilter = ({ available, premium, maxPrice, maxRenewalPrice }: ResultFilter) =>
  typeof available === 'boolean' || typeof premium === 'boolean' || !!maxPrice || !!maxRenewalPrice;

/** Maximum number of results of the label itself. */
export const maxResults = ({ tlds, filter }: SearchSize): number =>
  filter?.first ?? (tlds ? maxTlds : firstOfAll);

/** Maximum number of names that are checked, with suggestions. */
export function maxNames(search: SearchSize): number {
  const { tlds, filter } = search;
  // The label may be a whole name, with a TLD of its own.
  const all = tlds ? tlds.length + 1 : maxTlds;
  const own = isSelective(search) ? all : Math.min(all, maxResults(search));
  return own + (filter?.suggestions ?? 0);
}
