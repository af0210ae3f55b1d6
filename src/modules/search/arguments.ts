import {
  type DomainName,
  domainNameOrFault,
  parseDomainName,
  parseLabel,
  parseTld,
  splitAtTld,
  withPlainI,
} from '../../kernel/domain-name.ts';
import { asFault, Fault, invalidInput, valueOr } from '../../kernel/faults.ts';
import type { Money } from '../../kernel/money.ts';
import { quoted } from '../../lib/text.ts';
import type { TldDetails } from '../../upstream/domain-api/tld-shapes.ts';
import type { Quotes } from '../quote/quotes.ts';
import type { SearchResult } from './result.ts';

/** The arguments of a search. */
export interface Search {
  readonly labels: readonly string[];
  readonly tlds?: readonly string[] | null | undefined;
  readonly filter?: SearchFilter | null | undefined;
  /** Maximum number of results of the labels themselves. */
  readonly first?: number | null | undefined;
  readonly suggestions?: number | null | undefined;
}

/** Conditions for results; every given condition must be met. */
export interface SearchFilter {
  readonly available?: boolean | null | undefined;
  readonly premium?: boolean | null | undefined;
  readonly maxPrice?: Money | null | undefined;
  readonly maxRenewalPrice?: Money | null | undefined;
}

/** Maximum number of names of one search, and of its TLDs, chosen or not; without suggestions. */
export const maxSearchNames = 1_000;
/** Results when no TLDs were chosen. */
const firstOfAll = 100;

/** The separators of labels in all scripts. */
const labelDot = /[.\u3002\uff0e\uff61]/u;

/** Whether a result may be left out once it is known: by the filter, or because its TLD takes no non-ASCII letters. */
export const isSelective = ({ labels, filter }: Search): boolean =>
  hasSelectiveFilter(filter ?? {}) ||
  labels.some((one) => /\P{ASCII}/u.test(one) || /xn--/i.test(one));

const hasSelectiveFilter = ({ available, premium, maxPrice, maxRenewalPrice }: SearchFilter) =>
  typeof available === 'boolean' || typeof premium === 'boolean' || !!maxPrice || !!maxRenewalPrice;

/** Maximum number of results of the labels themselves. */
export const maxResults = ({ tlds, first }: Search): number =>
  first ?? (tlds ? maxSearchNames : firstOfAll);

/** Maximum number of names that are checked, with suggestions. */
export function maxNames(search: Search): number {
  const { labels, tlds, suggestions } = search;
  // A label may be a whole name, with a TLD of its own.
  const whole = labels.filter((label) => labelDot.test(label)).length;
  const all = tlds
    ? labels.length * tlds.length + whole
    : maxSearchNames + (labels.length > 1 ? whole : 0);
  const own = isSelective(search) ? all : Math.min(all, maxResults(search));
  return own + (suggestions ?? 0);
}

const maxSuggestions = 20;

/** @throws Fault `INVALID_INPUT` for a count that is out of bounds. */
export function checkCounts({ first, suggestions }: Omit<Search, 'labels'>): void {
  checkCount('first', first, 1, maxSearchNames);
  checkCount('suggestions', suggestions, 0, maxSuggestions);
}

function checkCount(
  name: string,
  count: number | null | undefined,
  minimum: number,
  maximum: number,
) {
  if (typeof count !== 'number' || (count >= minimum && count <= maximum)) return;
  throw invalidInput(`"${name}" must be between ${minimum} and ${maximum}; it is ${count}.`, {
    facts: { minimum, maximum },
    path: [name],
  });
}

/** Whether, by the price list, a name under this TLD may meet the price conditions. */
export function mayFit(
  tld: TldDetails,
  { maxPrice, maxRenewalPrice }: SearchFilter,
  quotes: Quotes,
): boolean {
  if (!maxPrice && !maxRenewalPrice) return true;
  const price = quotes.firstPrice(tld);
  // Without a listed price the offer decides; a renewal has no other price than the listed one.
  return (
    (!maxPrice || price === null || isWithin(price, maxPrice)) &&
    (!maxRenewalPrice || isWithin(quotes.renewalPrice(tld), maxRenewalPrice))
  );
}

/** Those of many TLDs that `mayFit`. */
export const fittingIn = (tlds: readonly TldDetails[], filter: SearchFilter, quotes: Quotes) =>
  filter.maxPrice || filter.maxRenewalPrice
    ? tlds.filter((tld) => mayFit(tld, filter, quotes))
    : tlds;

/** Whether a result meets the filter. An unknown premium flag meets it; an unknown price does not. */
export function fits(result: SearchResult, filter: SearchFilter): boolean {
  const { state, offer } = result.availability;
  const { available, premium, maxPrice, maxRenewalPrice } = filter;
  const isFree = state === 'AVAILABLE';
  if (typeof available === 'boolean' && available !== isFree) return false;
  if (typeof premium === 'boolean' && offer && valueOr(offer.premium, premium) !== premium)
    return false;
  if (!isFree) return true;
  return (
    (!maxPrice || isWithin(result.quote.highest, maxPrice)) &&
    (!maxRenewalPrice || isWithin(result.renewalPrice, maxRenewalPrice))
  );
}

const isWithin = (price: Money | null, most: Money): boolean =>
  price !== null && price.currency === most.currency && price.amount.compare(most.amount) <= 0;

/** The label of a search, and the TLD that was written after it, if any; both in ASCII. */
export interface Wanted {
  readonly label: string;
  readonly tld: string | null;
}

/** What precedes and follows the host in a pasted address. */
const scheme = /^(?:[a-z][a-z\d+.-]*:)?\/\//i;
const afterHost = /(?::\d*)?(?:[/?#].*)?$/s;
const lastDot = /[.\u3002\uff0e\uff61]$/u;
const www = /^www[.\u3002\uff0e\uff61](?=.)/iu;

/**
 * Reads a label, a whole name, or the address of a website. The label of a whole name stands directly before the TLD:
 * `example` in `shop.example.co.uk`. The TLD is the longest ending for which `isTld` is true, else the last label.
 * A `www.` in front is no part of the name, unless only a TLD follows. A last dot may be that of a name that is being typed.
 *
 * `at` is the index in `labels`.
 *
 * @throws Fault `INVALID_INPUT` with one sentence that names the rule.
 */
export function readWanted(text: string, at: number): (isTld: (tld: string) => boolean) => Wanted {
  const path = ['labels', String(at)];
  const trimmed = text.trim();
  if (trimmed === '') throw invalidInput('A label must not be empty.', { path });
  const site = trimmed.replace(scheme, '').replace(afterHost, '');
  const isAddress = site !== trimmed || site.includes('@');
  const host = site.replace(lastDot, '');
  if (host.includes(',')) {
    throw invalidInput(`${quoted(host)} has a comma; send each name as its own label.`, { path });
  }
  const bare = host.replace(www, '');
  const isWhole = labelDot.test(bare);
  const name = readName(bare, isWhole);
  // Without a dot, words like "and/or" would be read as an address too.
  if (isAddress && (name instanceof Fault || !labelDot.test(host))) {
    throw invalidInput('Enter the name only, such as maple-field.', { path });
  }
  if (name instanceof Fault) throw name.with({ path });
  return (isTld) => {
    if (bare !== host && isTld(name)) return { label: 'www', tld: name };
    if (!isWhole) return { label: name, tld: null };
    const parts =
      splitAtTld(name as DomainName, isTld) ??
      splitAtTld(name as DomainName, (tld) => !tld.includes('.'));
    return { label: parts?.label.split('.').at(-1) ?? name, tld: parts?.tld ?? null };
  };
}

/** A whole name or a label in ASCII, or the fault of other text. */
function readName(text: string, isWhole: boolean): string | Fault {
  try {
    const plain = withPlainI(text);
    return isWhole ? parseDomainName(plain) : parseLabel(plain);
  } catch (error) {
    return asFault(error);
  }
}

/** @throws Fault `INVALID_INPUT` for more names than one search checks. */
export function checkSize(labels: readonly string[], tlds: readonly string[]): void {
  const most = Math.floor(maxSearchNames / Math.max(1, tlds.length));
  if (labels.length > most) {
    const message = `A search has at most ${maxSearchNames} names; ${labels.length} labels with ${tlds.length} TLDs are ${labels.length * tlds.length}.`;
    throw invalidInput(message, { path: [tlds.length > labels.length ? 'tlds' : 'labels'] });
  }
}

/**
 * The chosen TLDs in ASCII and in their order, without duplicates.
 *
 * @throws Fault `INVALID_INPUT` for text that is no TLD.
 */
export function readTlds(texts: readonly string[]): readonly string[] {
  const tlds = texts.map((text) => {
    const tld = parseTld(text);
    if (tld) return tld;
    const message = `${quoted(text)} is no TLD; write it as in "com", ".co.uk" or "рф".`;
    throw invalidInput(message, { path: ['tlds'] });
  });
  return [...new Set(tlds)];
}

/** Why a name in ASCII is invalid, which is too long or mixes scripts that must not be mixed; null when it is valid. */
export function faultOfName(name: DomainName): Fault | null {
  const parsed = domainNameOrFault(name);
  return parsed instanceof Fault ? parsed : null;
}
