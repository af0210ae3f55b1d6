import type { DomainName } from '../../kernel/domain-name.ts';
import { type DomainState, refusesChanges } from '../../kernel/domain-state.ts';
import { Fault, type FieldResult, valueOr } from '../../kernel/faults.ts';
import type { ChangedValue } from '../../modules/changed-value/value.ts';
import { createChecks, faultsOf } from '../../modules/mutation/checks.ts';
import type { DomainDetails } from '../../upstream/domain-api/shapes.ts';
import type { Portfolio } from '../portfolio/portfolio.ts';
import {
  type ChangeValue,
  changeAt,
  type ItemChange,
  isSet,
  shownValue,
  valueAfter,
  valueNow,
} from './change.ts';
import { checkChange } from './check-change.ts';
import {
  checkSelection,
  domainsOf,
  noDomains,
  type SelectDeps,
  type SelectionInput,
} from './select-domains.ts';

/** One domain of a preview. */
export interface PreviewedDomain {
  readonly domain: DomainName;
  /** By the list of domains; null for a domain or a value that it does not have. */
  readonly before: ChangedValue | null;
  /** Null for a synchronisation, and when the value before is not known or does not allow the change. */
  readonly after: ChangedValue | null;
}

export interface ChangePreview {
  /** Null when the input is not valid or the list cannot be read. */
  readonly count: number | null;
  /** Domains that have the value already, by the list. */
  readonly unchanged: number | null;
  /** Domains that would be FAILED by what the list shows. */
  readonly refused: number | null;
  /** The parts of `refused`. */
  readonly refusals: readonly PreviewedRefusals[];
  readonly sample: readonly PreviewedDomain[];
  /** The list; null when it was not read. */
  readonly coverage: Portfolio | null;
  readonly errors: readonly Fault[];
}

/** Domains that would be FAILED for one reason. */
export interface PreviewedRefusals {
  /** The state that does not allow the change; null when the number of name servers does not. */
  readonly state: DomainState | null;
  readonly count: number;
}

/** Domains of the sample. */
const sampleSize = 10;

const noPreview = {
  ...{ count: null, unchanged: null, refused: null },
  ...{ refusals: [], sample: [], coverage: null },
};

/** Why a domain would be FAILED: its state, or its number of name servers. Null when the list shows no reason. */
function refusalOf(
  change: ItemChange,
  details: DomainDetails | null,
  after: FieldResult<ChangeValue>,
): DomainState | 'HOSTS' | null {
  if (after instanceof Fault && after.code === 'NOT_ELIGIBLE') return 'HOSTS';
  if (!details || 'sync' in change) return null;
  return refusesChanges(details.state, valueOr(details.status, '') ?? '') ? details.state : null;
}

function byReason(
  reasons: readonly (DomainState | 'HOSTS' | null)[],
): readonly PreviewedRefusals[] {
  const counts = new Map<DomainState | null, number>();
  for (const reason of reasons) {
    if (reason === null) continue;
    const state = reason === 'HOSTS' ? null : reason;
    counts.set(state, (counts.get(state) ?? 0) + 1);
  }
  return [...counts].map(([state, count]) => ({ state, count }));
}

/**
 * What `changeDomains` would do, by one list of domains.
 *
 * @throws Fault `INVALID_INPUT` without names and filter: a client that does not select `errors` would read an empty preview.
 */
export async function previewChange(
  deps: SelectDeps,
  input: SelectionInput,
): Promise<ChangePreview> {
  const { names, filter, change } = input;
  if (!names && !filter && !change.items) throw noDomains([]);
  const checks = createChecks();
  const checked = checkChange(checks, ['change'], input.change, deps.caller);
  const selection = checkSelection(checks, [], input, deps.caller);
  if (!checked || !selection || checks.faults.length > 0) {
    return { ...noPreview, errors: checks.faults };
  }
  try {
    const list = await deps.list();
    const { names, count } =
      'names' in selection
        ? { names: selection.names, count: selection.names.length }
        : await domainsOf(deps, checks, [], selection.filter, list);
    const { change, targets } = checked;
    const domains = names.map((domain, at) => {
      const ofDomain = changeAt(change, targets?.[at]);
      const details = list.find(domain);
      const before: ChangeValue = details ? valueNow(ofDomain, details) : {};
      const after = valueAfter(ofDomain, before);
      // A domain that has the value already is not changed.
      const unchanged = isSet(ofDomain, before);
      const refusal = unchanged ? null : refusalOf(ofDomain, details, after);
      return { domain, before, after, unchanged, refusal };
    });
    const refusals = byReason(domains.map(({ refusal }) => refusal));
    return {
      count,
      unchanged: domains.filter((one) => one.unchanged).length,
      refused: refusals.reduce((sum, one) => sum + one.count, 0),
      refusals,
      sample: domains.slice(0, sampleSize).map(({ domain, before, after }) => ({
        domain,
        before: shownValue(before),
        after: shownValue(valueOr(after, {})),
      })),
      coverage: list,
      errors: checks.faults,
    };
  } catch (error) {
    return { ...noPreview, errors: faultsOf(error) };
  }
}
