import {
  type DomainName,
  isDomainName,
  isIdn,
  parseDomainName,
  unicodeName,
} from '../../kernel/domain-name.ts';
import { Fault, valueOr } from '../../kernel/faults.ts';
import type { Money } from '../../kernel/money.ts';
import { memoize } from '../../lib/lazy.ts';
import type { PriceList } from '../../scope/hooks.ts';
import type { TldDetails } from '../../upstream/domain-api/tld-shapes.ts';
import type { IdnRefusals } from '../availability/check.ts';
import type { Quotes } from '../quote/quotes.ts';
import { saleFault, type TldReads } from '../tld/loader.ts';
import {
  checkCounts,
  checkSize,
  faultOfName,
  fittingIn,
  isSelective,
  maxResults,
  maxSearchNames,
  mayFit,
  readTlds,
  readWanted,
  type Search,
  type SearchFilter,
  type Wanted,
} from './arguments.ts';
import type { Candidate } from './result.ts';

/** The names of a search in the order of their checks, and when to stop. */
export interface SearchPlan {
  readonly candidates: readonly Candidate[];
  readonly filter: SearchFilter;
  /** Maximum number of results of the labels themselves; suggestions are added to them. */
  readonly first: number;
}

/** The first TLDs get suggestions. */
const suggestedTlds = 3;
/** Suggestions follow this many names of the labels themselves, so that they are in the first calls. */
const beforeSuggestions = 10;

/**
 * Plans a search with the price list. Every rule that needs no check of a name is applied here.
 *
 * @throws Fault `INVALID_INPUT` for a bad argument, before the price list is read.
 */
export async function planSearch(
  search: Search,
  tlds: Pick<TldReads, 'catalogue'>,
  idnRefusals: Pick<IdnRefusals, 'refuses' | 'mayRefuse'>,
  quotes: Quotes,
): Promise<SearchPlan> {
  const { labels, filter } = { ...search, filter: search.filter ?? {} };
  checkCounts(search);
  checkSize(labels, search.tlds ?? []);
  const readLabels = labels.map(readWanted);
  const chosen = search.tlds ? readTlds(search.tlds) : null;
  const { byName } = await tlds.catalogue();
  // Many registrars cannot check ASCII labels under internationalised TLDs; such results are left out.
  const isLikely = ({ name, named }: Candidate) =>
    named || !(idnRefusals.mayRefuse(name) || (!isIdn(name) && name.includes('.xn--')));
  // Each of many labels has the first TLDs only.
  const tldsOfLabel = Math.floor(maxSearchNames / Math.max(1, labels.length));
  const further = chosen
    ? []
    : fittingIn(allInOrder(byName, quotes), filter, quotes).slice(0, tldsOfLabel);
  const isFitting = ({ name, named, tld, refusal }: Candidate) =>
    refusal !== null ||
    ((tld === null || mayFit(tld, filter, quotes)) && (named || !idnRefusals.refuses(name)));
  const first = maxResults(search);
  // When the filter drops no result, further names are not needed.
  const most = isSelective(search) ? Infinity : first;
  const lists = readLabels.map((read) => {
    const wanted = read((tld) => byName.has(tld));
    const all = candidatesOf(wanted, chosen ?? [], further, byName).filter(isFitting);
    return { label: wanted.label, own: likelyFirst(all, isLikely, Math.max(most, suggestedTlds)) };
  });
  const own = inTurn(lists.map((list) => list.own));
  const names = new Set(own.map(({ name }) => name));
  const checked = own.slice(0, most);
  const others = search.suggestions ?? 0;
  const suggested = inTurn(lists.slice(0, others).map((list) => suggestions(list.label, list.own)));
  const candidates = [
    ...checked.slice(0, beforeSuggestions),
    ...suggested.filter(({ name }) => !names.has(name)).slice(0, others),
    ...checked.slice(beforeSuggestions),
  ];
  return { candidates, filter, first };
}

/** The first of each list, then the second of each, and so on; each name once. */
function inTurn(lists: readonly (readonly Candidate[])[]): readonly Candidate[] {
  const byName = new Map<DomainName, Candidate>();
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  for (let at = 0; at < longest; at += 1) {
    for (const list of lists) {
      const one = list[at];
      if (!one) continue;
      const known = byName.get(one.name);
      if (!known || (one.named && !known.named)) byName.set(one.name, one);
    }
  }
  return [...byName.values()];
}

function* candidatesOf(
  { label, tld }: Wanted,
  chosen: readonly string[],
  further: readonly TldDetails[],
  byName: TldsByName,
): Generator<Candidate, void> {
  const named = new Set([...(tld === null ? [] : [tld]), ...chosen]);
  for (const name of named) yield candidateOf(label, name, byName.get(name), { named: true });
  for (const one of further) {
    const candidate = named.has(one.name) ? null : candidateOf(label, one.name, one);
    if (candidate && isRegistrable(candidate)) yield candidate;
  }
}

/** The likely ones first. Reads no more than `most` of them. */
function likelyFirst(
  candidates: Iterable<Candidate>,
  isLikely: (candidate: Candidate) => boolean,
  most: number,
): readonly Candidate[] {
  const likely: Candidate[] = [];
  const others: Candidate[] = [];
  for (const one of candidates) {
    (isLikely(one) ? likely : others).push(one);
    if (likely.length === most) break;
  }
  return [...likely, ...others];
}

/** `tld` is undefined when the registrar does not sell it. */
function candidateOf(
  label: string,
  tldName: string,
  tld: TldDetails | undefined,
  { named = false, suggested = false } = {},
): Candidate {
  const name = `${label}.${tldName}` as DomainName;
  const refusal = tld ? (faultOfName(name) ?? saleFault(name, label, tld)) : notSold(tldName);
  return { name, tld: tld ?? null, named, suggested, refusal };
}

const notSold = (tldName: string) =>
  new Fault('TLD_UNSUPPORTED', {
    message: `The registrar does not sell ".${tldName}"; query "tlds" for those that it sells.`,
  });

/** A name under a TLD that was not chosen has no result when it cannot be registered. */
const isRegistrable = ({ refusal }: Candidate): boolean => refusal === null;

/** Suggestions for one label. */
function suggestions(label: string, own: readonly Candidate[]): readonly Candidate[] {
  const tlds = own.flatMap(({ tld, refusal }) => (tld && !refusal ? [tld] : []));
  const labels = otherLabels(label);
  return tlds
    .slice(0, suggestedTlds)
    .flatMap((tld) => labels.map((other) => candidateOf(other, tld.name, tld, { suggested: true })))
    .filter(isRegistrable);
}

/** The most popular TLDs, in this order; those that are not sold are skipped. */
const popular = 'com net org io co app dev ai shop xyz online store site info me biz'.split(' ');
const popularity = new Map(popular.map((name, at) => [name, at]));

type TldsByName = ReadonlyMap<string, TldDetails>;

interface Ordered {
  readonly list: PriceList | null;
  readonly tlds: readonly TldDetails[];
}

const ordersOf = memoize((_byName: TldsByName) => new WeakMap<Quotes, Ordered>());

/** All TLDs in order, computed once for each price list. A TLD whose price expires later keeps its place. */
function allInOrder(byName: TldsByName, quotes: Quotes): readonly TldDetails[] {
  const orders = ordersOf(byName);
  const { list } = quotes;
  const known = orders.get(quotes);
  if (known?.list === list) return known.tlds;
  const tlds = inOrder([...byName.values()], quotes);
  orders.set(quotes, { list, tlds });
  return tlds;
}

/** Popular TLDs first, then by the price of the first period; prices in the main currency of the list come first. */
export function inOrder(tlds: readonly TldDetails[], quotes: Quotes): readonly TldDetails[] {
  const main = mainCurrency(tlds);
  return tlds
    .map((tld) => ({
      tld,
      rank: popularity.get(tld.name) ?? popular.length,
      price: quotes.firstPrice(tld),
    }))
    .sort(
      (one, other) =>
        one.rank - other.rank ||
        byPrice(one.price, other.price, main) ||
        compare(one.tld.name, other.tld.name),
    )
    .map(({ tld }) => tld);
}

/** Prices of different currencies are never compared; no price comes last. */
function byPrice(one: Money | null, other: Money | null, main: string | null): number {
  const group = (price: Money | null) => (price === null ? 2 : price.currency === main ? 0 : 1);
  if (group(one) !== group(other)) return group(one) - group(other);
  if (one === null || other === null) return 0;
  return compare(one.currency, other.currency) || one.amount.compare(other.amount);
}

/** The currency of most TLDs; on a tie the first in the alphabet. */
function mainCurrency(tlds: readonly TldDetails[]): string | null {
  const counts = new Map<string, number>();
  for (const { prices } of tlds) {
    const listed = prices.find(({ operation }) => operation === 'REGISTRATION');
    const currency = valueOr(listed?.price ?? null, null)?.currency;
    if (currency) counts.set(currency, (counts.get(currency) ?? 0) + 1);
  }
  const [most] = [...counts].sort(
    ([one, often], [other, oftener]) => oftener - often || compare(one, other),
  );
  return most?.[0] ?? null;
}

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);

const before = ['get', 'my', 'the', 'go', 'try'];
const behind = ['hq', 'app', 'online', 'shop', 'hub'];

/** The ends that are split off. A shorter word, or one in front, is too often a part of another one: goldenbakery, github. */
const split = ['online', 'shop'];
/** Minimum length of the rest when a word is split off. */
const shortest = 3;
const letterBesideDigit = /(?<=\p{L})(?=\p{Nd})|(?<=\p{Nd})(?=\p{L})/u;

/** Similar labels, the closest first: words split or joined, then words added before and after. */
export function otherLabels(label: string): readonly string[] {
  const shown = unicodeName(parseDomainName(`${label}.com`)).slice(0, -4);
  // A lookalike label is never decoded, and nothing is added to its encoded form.
  if (shown.startsWith('xn--')) return [];
  const affixed = before.flatMap((word, at) => [`${word}-${shown}`, `${shown}-${behind[at]}`]);
  const labels = [...parted(shown), ...affixed]
    .filter((one) => one !== shown && isDomainName(`${one}.com`))
    .map((one) => parseDomainName(`${one}.com`).slice(0, -4));
  return [...new Set(labels)];
}

function parted(shown: string): readonly string[] {
  if (shown.includes('-')) return [shown.replaceAll('-', '')];
  const atDigits = shown.split(letterBesideDigit).join('-');
  const last = split.find((word) => leaves(shown, word) && shown.endsWith(word));
  return [atDigits, ...(last ? [`${shown.slice(0, -last.length)}-${last}`] : [])];
}

const leaves = (shown: string, word: string) => shown.length - word.length >= shortest;
