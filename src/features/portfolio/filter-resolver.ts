import { checkCustomer } from '../../kernel/caller.ts';
import { type DomainName, refuseSeveralTlds } from '../../kernel/domain-name.ts';
import { checkSpan } from '../../kernel/instant.ts';
import { checkLabelCount, type LabelFilter, labelConditions } from '../../kernel/label.ts';
import { readAllPages } from '../../lib/pages.ts';
import { perRequest } from '../../scope/scope.ts';
import type { DomainFilter } from './list-index/portfolio-index.ts';

/** A filter of domains as a client sends it. The journal has the domains of a customer and of a label. */
export interface DomainFilterInput extends Omit<DomainFilter, 'among'> {
  readonly customer?: string | null | undefined;
  readonly labels?: readonly LabelFilter[] | null | undefined;
  /** Lists of conditions, one of each of which a domain must meet. */
  readonly eitherLabels?: readonly (readonly LabelFilter[])[] | null | undefined;
}

/** The filter with the domains of its customer and of its labels. */
export type ResolveFilter = (
  input: DomainFilterInput | null | undefined,
  /** That of the filter in the arguments, for the path of a refusal. Default: `filter`. */
  path?: readonly string[],
) => Promise<DomainFilter | null | undefined>;

/** SQLite occupies the thread during a statement, so that a page must be short. */
const namesPerRead = 5_000;

/** Reads the conditions of filters that the list of domains does not have. */
export const filterResolver = perRequest('filterResolver', ({ tenant, stored }): ResolveFilter => {
  const { account, journal } = tenant;
  const { customers } = journal;
  type ReadPage = (after: DomainName | null) => Promise<readonly DomainName[]>;
  const all = (readPage: ReadPage) =>
    readAllPages<DomainName>(namesPerRead, (after) => stored.inTurn(() => readPage(after)));

  return async (input, path = ['filter']) => {
    const { customer, labels, eitherLabels, ...filter } = input ?? {};
    refuseSeveralTlds(filter.tlds ?? []);
    checkSpan(filter.expires ?? {}, [...path, 'expires']);
    const labelled = (some: DomainFilterInput['labels']): ReadPage[] =>
      labelConditions(some).map(
        (label) => (after) => customers.labelled(account, label, after, namesPerRead),
      );
    const reads = labelled(labels);
    if (eitherLabels) checkLabelCount(eitherLabels.length);
    const either = (eitherLabels ?? []).map(labelled);
    if (typeof customer === 'string') {
      const known = checkCustomer(customer);
      reads.push((after) => customers.domains(account, known, after, namesPerRead));
    }
    if (reads.length + either.length === 0) return filter;
    const among = [...reads.map((one) => [one]), ...either].map(async (some) =>
      (await Promise.all(some.map(all))).flat(),
    );
    return { ...filter, among: await Promise.all(among) };
  };
});
