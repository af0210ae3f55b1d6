import { type DomainName, isIdn } from '../../kernel/domain-name.ts';
import { Fault } from '../../kernel/faults.ts';
import { isSelective, maxResults } from '../../kernel/search-size.ts';
import type { TldDetails } from '../../upstream/domain-api/tld-shapes.ts';
import type { IdnRefusals } from '../availability/check.ts';
import { saleFault } from '../tld/label-rules.ts';
import type { TldReads } from '../tld/loader.ts';
import { checkCounts, mayFit, type SearchFilter } from './filter.ts';
import { faultOfName, readTlds, readWanted, type Wanted } from './label.ts';
import type { Candidate } from './result.ts';
import { otherLabels } from './suggestions.ts';
import { inOrder } from './tld-order.ts';

/** The arguments of a search. */
export interface Search {
  readonly label: string;
  readonly tlds?: readonly string[] | null | undefined;
  readonly filter?: SearchFilter | null | undefined;
}

/** The names of a search in the order of their checks, and when to stop. */
export interface SearchPlan {
  readonly candidates: readonly Candidate[];
  readonly filter: SearchFilter;
  /** Maximum number of results of the label itself; suggestions are added to them. */
  readonly first: number;
}

/** The first TLDs get suggestions. */
const suggestedTlds = 3;
/** Suggestions follow this many names of the label itself, so that they are in the first calls. */
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
): Promise<SearchPlan> {
  const filter = search.filter ?? {};
  checkCounts(filter);
  const wantedBy = readWanted(search.label);
  const chosen = search.tlds ? readTlds(search.tlds) : null;
  const { byName } = await tlds.catalogue();
  const wanted = wantedBy((tld) => byName.has(tld));
  // Many registrars cannot check ASCII labels under internationalised TLDs; such results are left out.
  const isLikely = ({ name, named }: Candidate) =>
    named || !(idnRefusals.mayRefuse(name) || (!isIdn(name) && name.includes('.xn--')));
  const fitting = candidatesOf(wanted, chosen, byName).filter(
    ({ name, named, tld, refusal }) =>
      refusal !== null ||
      ((tld === null || mayFit(tld, filter)) && (named || !idnRefusals.refuses(name))),
  );
  const own = [...fitting.filter(isLikely), ...fitting.filter((one) => !isLikely(one))];
  const first = maxResults(search);
  // When the filter drops no result, further names are not needed.
  const checked = isSelective(search) ? own : own.slice(0, first);
  const candidates = [
    ...checked.slice(0, beforeSuggestions),
    ...suggestions(wanted.label, own, filter),
    ...checked.slice(beforeSuggestions),
  ];
  return { candidates, filter, first };
}

function candidatesOf(
  { label, tld }: Wanted,
  chosen: readonly string[] | null,
  byName: ReadonlyMap<string, TldDetails>,
): readonly Candidate[] {
  const named = [...new Set([...(tld === null ? [] : [tld]), ...(chosen ?? [])])];
  const others = chosen
    ? []
    : inOrder([...byName.values()].filter(({ name }) => !named.includes(name)));
  return [
    ...named.map((name) => candidateOf(label, name, byName.get(name), { named: true })),
    ...others.map((one) => candidateOf(label, one.name, one)).filter(isRegistrable),
  ];
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

function suggestions(
  label: string,
  own: readonly Candidate[],
  filter: SearchFilter,
): readonly Candidate[] {
  const count = filter.suggestions ?? 0;
  if (count === 0) return [];
  const tlds = own.flatMap(({ tld, refusal }) => (tld && !refusal ? [tld] : []));
  const labels = otherLabels(label);
  return tlds
    .slice(0, suggestedTlds)
    .flatMap((tld) => labels.map((other) => candidateOf(other, tld.name, tld, { suggested: true })))
    .filter(isRegistrable)
    .slice(0, count);
}
