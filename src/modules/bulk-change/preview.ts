import type { DomainName } from '../../kernel/domain-name.ts';
import type { Fault } from '../../kernel/faults.ts';
import type { ChangedValue } from '../changed-value/value.ts';
import { createChecks, faultsOf } from '../mutation/checks.ts';
import type { Portfolio } from '../portfolio/portfolio.ts';
import { type ChangeInput, checkChange, isSet, shownValue, valueNow } from './change.ts';
import {
  checkSelection,
  domainsOf,
  type SelectDeps,
  type SelectionInput,
} from './select-domains.ts';

export interface PreviewInput extends SelectionInput {
  readonly change: ChangeInput;
}

/** One domain of a preview. */
export interface PreviewedDomain {
  readonly domain: DomainName;
  /** By the list of domains; null for a domain or a value that it does not have. */
  readonly before: ChangedValue | null;
}

export interface ChangePreview {
  /** Null when the input is not valid or the list cannot be read. */
  readonly count: number | null;
  /** Domains that have the value already, by the list. */
  readonly unchanged: number | null;
  readonly sample: readonly PreviewedDomain[];
  /** The list; null when it was not read. */
  readonly coverage: Portfolio | null;
  readonly errors: readonly Fault[];
}

/** Domains of the sample. */
const sampleSize = 10;

const noPreview = { count: null, unchanged: null, sample: [], coverage: null };

/** What `changeDomains` would do, by one list of domains. */
export async function previewChange(deps: SelectDeps, input: PreviewInput): Promise<ChangePreview> {
  const checks = createChecks();
  const change = checkChange(checks, ['change'], input.change);
  const selection = checkSelection(checks, [], input, deps.caller);
  if (!change || !selection || checks.faults.length > 0) {
    return { ...noPreview, errors: checks.faults };
  }
  try {
    const list = await deps.list();
    const { names, count } =
      'names' in selection
        ? { names: selection.names, count: selection.names.length }
        : await domainsOf(deps, checks, [], selection.filter, list);
    const values = names.map((name) => {
      const details = list.find(name);
      return details && valueNow(change, details);
    });
    return {
      count,
      unchanged: values.filter((value) => value && isSet(change, value)).length,
      sample: names
        .slice(0, sampleSize)
        .map((domain, at) => ({ domain, before: shownValue(values[at] ?? {}) })),
      coverage: list,
      errors: checks.faults,
    };
  } catch (error) {
    return { ...noPreview, errors: faultsOf(error) };
  }
}
