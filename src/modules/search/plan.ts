import { Fault } from '../../kernel/faults.ts';
import { isSelective, mostResults } from '../../kernel/search-size.ts';
import type { TldDetails } from '../../upstream/domain-api/tld-shapes.ts';
import type { IdnRefusals } from '../availability/idn-refusals.ts';
import { saleFault } from '../tld/label-rules.ts';
import { checkCounts, mayFit, type SearchFilter } from './filter.ts';
import { nameUnder, readTlds, readWanted, type Wanted } from './label.ts';
import type { Candidate } from './result.ts';
import { otherLabels } from './suggestions.ts';
import { inOrder } from './tld-order.ts';

/** What the caller is looking for. */
export interface Search {
  readonly label: string;
  readonly tlds?: readonly string[] | null | undefined;
  readonly filter?: SearchFilter | null | undefined;
}

/** A search made ready: what to ask about, in which order, and when to stop. */
export interface Plan {
  readonly candidates: readonly Candidate[];
  readonly filter: SearchFilter;
  /** So many results of the label itself at most; suggestions come on top. */
  readonly first: number;
}

/** So many TLDs get suggestions, one after the other. */
const suggestedTlds = 3;
/** Suggestions come after so many names of the label itself, so that they are among the first calls. */
const beforeSuggestions = 10;

/**
 * Reads a search, and makes a plan of it once the catalogue is known: every rule that can be told without asking about a
 * name is applied here.
 *
 * @throws Fault `INVALID_INPUT` for a bad argument, before the catalogue is needed.
 */
export function readSearch(
  search: Search,
  idnRefusals: Pick<IdnRefusals, 'refuses'>,
): (catalogue: readonly TldDetails[]) => Plan {
  const filter = search.filter ?? {};
  checkCounts(filter);
  const wantedBy = readWanted(search.label);
  const chosen = search.tlds ? readTlds(search.tlds) : null;
  return (catalogue) => {
    const byName = new Map(catalogue.map((tld) => [tld.name, tld]));
    const wanted = wantedBy((tld) => byName.has(tld));
    const own = candidatesOf(wanted, chosen, byName).filter(
      ({ name, named, tld, refusal }) =>
        refusal !== null ||
        ((tld === null || mayFit(tld, filter)) && (named || !idnRefusals.refuses(name))),
    );
    const first = mostResults(search);
    // When nothing can fall through, nothing more need be asked about.
    const asked = isSelective(search) ? own : own.slice(0, first);
    const candidates = [
      ...asked.slice(0, beforeSuggestions),
      ...suggestions(wanted.label, own, filter),
      ...asked.slice(beforeSuggestions),
    ];
    return { candidates, filter, first };
  };
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
    ...named.map((name) => chosenCandidate(label, name, byName.get(name))),
    ...others.map((one) => candidate(label, one)).filter((one) => one !== null),
  ];
}

/** A TLD that was named is answered for in any case: what cannot be had under it is told as such. */
function chosenCandidate(label: string, tldName: string, tld: TldDetails | undefined): Candidate {
  const { name, fault } = nameUnder(label, tldName);
  if (tld)
    return {
      name,
      tld,
      named: true,
      suggested: false,
      refusal: fault ?? saleFault(name, label, tld),
    };
  const message = `No TLD ".${tldName}" is sold here; ask "tlds" for those that are.`;
  const refusal = new Fault('TLD_UNSUPPORTED', { message });
  return { name, tld: null, named: true, suggested: false, refusal };
}

/** Null for what cannot be had: nobody has asked for just this TLD. */
function candidate(label: string, tld: TldDetails, suggested = false): Candidate | null {
  const { name, fault } = nameUnder(label, tld.name);
  return fault || saleFault(name, label, tld)
    ? null
    : { name, tld, named: false, suggested, refusal: null };
}

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
    .flatMap((tld) => labels.map((other) => candidate(other, tld, true)))
    .filter((one) => one !== null)
    .slice(0, count);
}
