import type { DomainName } from '../../kernel/domain-name.ts';
import { Fault } from '../../kernel/faults.ts';
import { valueOr } from '../../kernel/field-result.ts';
import type { ChangedValue } from '../changed-value/value.ts';
import { createChecks, faultsOf } from '../mutation/checks.ts';
import type { Portfolio } from '../portfolio/portfolio.ts';
import { type ChangeValue, changeAt, isSet, shownValue, valueAfter, valueNow } from './change.ts';
import { checkChange } from './check-change.ts';
import {
  checkSelection,
  domainsOf,
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
  /** Domains that would be FAILED for their number of name servers, by the list. */
  readonly refused: number | null;
  readonly sample: readonly PreviewedDomain[];
  /** The list; null when it was not read. */
  readonly coverage: Portfolio | null;
  readonly errors: readonly Fault[];
}

/** Domains of the sample. */
const sampleSize = 10;

const noPreview = { count: null, unchanged: null, refused: null, sample: [], coverage: null };

/** What `changeDomains` would do, by one list of domains. */
export async function previewChange(
  deps: SelectDeps,
  input: SelectionInput,
): Promise<ChangePreview> {
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
      return {
        domain,
        before,
        after: valueAfter(ofDomain, before),
        isSet: isSet(ofDomain, before),
      };
    });
    const isRefused = ({ after }: (typeof domains)[number]) =>
      after instanceof Fault && after.code === 'NOT_ELIGIBLE';
    return {
      count,
      unchanged: domains.filter((one) => one.isSet).length,
      refused: domains.filter(isRefused).length,
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
