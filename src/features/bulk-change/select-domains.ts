import { type Caller, forbidden, mayAny } from '../../kernel/caller.ts';
import { type DomainName, parseDomainName } from '../../kernel/domain-name.ts';
import { invalidInput } from '../../kernel/faults.ts';
import { maxBulkChangeDomains } from '../../kernel/job-sizes.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Checks } from '../../modules/mutation/checks.ts';
import type { DomainFilterInput, ResolveFilter } from '../portfolio/filter-resolver.ts';
import type { Portfolio, PortfolioReads } from '../portfolio/portfolio.ts';
import { domainPlace } from '../portfolio/service.ts';
import type { ChangeInput } from './check-change.ts';

/** A change and its domains as a client sends them. The domains are in one member, or in the items of the change. */
export interface SelectionInput {
  readonly change: ChangeInput;
  readonly names?: readonly string[] | null | undefined;
  readonly filter?: DomainFilterInput | null | undefined;
}

/** The domains of a job: their names, or a filter that the list of domains resolves. */
export type Selection =
  | { readonly names: readonly DomainName[] }
  | { readonly filter: DomainFilterInput };

export interface SelectDeps {
  readonly caller: Caller;
  readonly clock: Clock;
  readonly list: PortfolioReads['list'];
  readonly resolveFilter: ResolveFilter;
}

/** Checks a selection without an upstream call. Null, with the faults recorded, when it is not valid. */
export function checkSelection(
  checks: Checks,
  path: readonly string[],
  { names, filter, change: { items } }: SelectionInput,
  caller: Caller,
): Selection | null {
  if (items && (names || filter)) {
    const message = 'The domains are those of "items"; send neither "names" nor "filter".';
    checks.add(invalidInput(message, { path: [...path] }));
    return null;
  }
  if (items) {
    const texts = items.map(({ domain }) => domain);
    return checkNames(checks, [...path, 'change', 'items'], texts, 'domain');
  }
  if (Boolean(names) === Boolean(filter)) {
    checks.add(noDomains(path));
    return null;
  }
  if (names) return checkNames(checks, [...path, 'names'], names);
  // A filter reads the list of domains.
  if (!mayAny(caller, ['domains:read'])) {
    checks.add(forbidden(caller, ['domains:read']).with({ path: [...path, 'filter'] }));
    return null;
  }
  return { filter: filter ?? {} };
}

export const noDomains = (path: readonly string[]) =>
  invalidInput('Send either "names" or "filter".', { path });

function checkNames(
  checks: Checks,
  path: readonly string[],
  texts: readonly string[],
  ...below: readonly string[]
): Selection | null {
  const list = path.at(-1);
  if (texts.length === 0 || texts.length > maxBulkChangeDomains) {
    checks.add(tooMany(`"${list}" has ${texts.length}.`, path));
    return null;
  }
  const firstOf = new Map<DomainName, number>();
  for (const [at, text] of texts.entries()) {
    checks.check([...path, String(at), ...below], () => {
      const name = parseDomainName(text);
      const first = firstOf.get(name);
      if (first !== undefined) {
        throw invalidInput(`${name} is at position ${first} of "${list}" already.`);
      }
      firstOf.set(name, at);
    });
  }
  return firstOf.size === texts.length ? { names: [...firstOf.keys()] } : null;
}

const tooMany = (what: string, path: readonly string[]) =>
  invalidInput(`A bulk change changes 1 to ${maxBulkChangeDomains} domains; ${what}`, {
    path,
    facts: { minimum: 1, maximum: maxBulkChangeDomains },
  });

/** The domains of a filter, by their names, and how many there are. A list longer than a job is cut, with a fault. */
export async function domainsOf(
  { clock, resolveFilter }: SelectDeps,
  checks: Checks,
  path: readonly string[],
  input: DomainFilterInput,
  { index }: Portfolio,
): Promise<{ readonly names: readonly DomainName[]; readonly count: number }> {
  const at = [...path, 'filter'];
  const filter = await resolveFilter(input, at);
  const { domains, more } = index.page(
    { filter, now: clock.now() },
    { place: domainPlace({}), limit: maxBulkChangeDomains },
  );
  const count = more.totalCount;
  if (count === 0) {
    checks.add(invalidInput('The filter matches no domain of the account.', { path: at }));
  }
  if (count > maxBulkChangeDomains) checks.add(tooMany(`the filter matches ${count}.`, at));
  return { names: domains.map(({ name }) => name), count };
}
