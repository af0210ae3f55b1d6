/** The arguments that bound how many names a search checks. */
export interface SearchSize {
  readonly labels: readonly string[];
  readonly tlds?: readonly string[] | null | undefined;
  readonly filter?: ResultFilter | null | undefined;
  /** Maximum number of results of the labels themselves. */
  readonly first?: number | null | undefined;
  readonly suggestions?: number | null | undefined;
}

/** Conditions that may leave results out. */
export interface ResultFilter {
  readonly available?: boolean | null | undefined;
  readonly premium?: boolean | null | undefined;
  readonly maxPrice?: object | null | undefined;
  readonly maxRenewalPrice?: object | null | undefined;
}

/** Maximum number of names of one search, and of its TLDs, chosen or not; without suggestions. */
export const maxSearchNames = 1_000;
/** Results when no TLDs were chosen. */
const firstOfAll = 100;

/** The separators of labels in all scripts. */
export const labelDot = /[.\u3002\uff0e\uff61]/u;

/** Whether a result may be left out once it is known: by the filter, or because its TLD takes no non-ASCII letters. */
export const isSelective = ({ labels, filter }: SearchSize): boolean =>
  hasSelectiveFilter(filter ?? {}) ||
  labels.some((one) => /\P{ASCII}/u.test(one) || /xn--/i.test(one));

const hasSelectiveFilter = ({ available, premium, maxPrice, maxRenewalPrice }: ResultFilter) =>
  typeof available === 'boolean' || typeof premium === 'boolean' || !!maxPrice || !!maxRenewalPrice;

/** Maximum number of results of the labels themselves. */
export const maxResults = ({ tlds, first }: SearchSize): number =>
  first ?? (tlds ? maxSearchNames : firstOfAll);

/** Maximum number of names that are checked, with suggestions. */
export function maxNames(search: SearchSize): number {
  const { labels, tlds, suggestions } = search;
  // A label may be a whole name, with a TLD of its own.
  const whole = labels.filter((label) => labelDot.test(label)).length;
  const all = tlds
    ? labels.length * tlds.length + whole
    : maxSearchNames + (labels.length > 1 ? whole : 0);
  const own = isSelective(search) ? all : Math.min(all, maxResults(search));
  return own + (suggestions ?? 0);
}
