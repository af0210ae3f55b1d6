import { checkCustomer } from '../../kernel/caller.ts';
import type { DomainName } from '../../kernel/domain-name.ts';
import { Fault, invalidInput } from '../../kernel/faults.ts';
import { checkLabel, isLabelName, type Label, labelRule, maxLabels } from '../../kernel/label.ts';
import { composed } from '../../lib/text.ts';
import { perRequest, type Scope } from '../../scope/scope.ts';
import type { TenantFacts } from '../../scope/tenant.ts';
import { domainLists, storedDomains } from '../domain/loader.ts';
import { checkNames } from '../mutation/check-names.ts';
import { asPayload, type Checks, createChecks } from '../mutation/checks.ts';

interface SetCustomerInput {
  readonly names: readonly string[];
  readonly customer?: string | null | undefined;
}

interface LabelDomainsInput {
  readonly names: readonly string[];
  readonly set?: readonly Label[] | null | undefined;
  readonly remove?: readonly string[] | null | undefined;
}

/** Names of one request. */
const maxNames = 500;
const namesPath = ['input', 'names'];

/** Whose domains are whose, and how they are labelled. */
export const customers = perRequest('customers', (scope) => {
  const { tenant, stored } = scope;
  const { account, clock, journal } = tenant;
  const { customers } = journal;

  const storedCustomer = stored.batched(async (names) => {
    const found = await customers.of(account, names as readonly DomainName[]);
    return found.map(({ domain, customer }) => ({ id: domain, customer }));
  });
  const storedLabels = stored.batched(async (names) => {
    const found = await customers.labels(account, names as readonly DomainName[]);
    const byDomain = Map.groupBy(found, ({ domain }) => domain);
    return [...byDomain].map(([id, labels]) => ({ id, labels }));
  });

  return {
    /** Null for a domain of the reseller. */
    customerOf: async (name: DomainName) => (await storedCustomer(name))?.customer ?? null,
    /** By name. */
    labelsOf: async (name: DomainName): Promise<readonly Label[]> =>
      (await storedLabels(name))?.labels ?? [],

    setCustomer: ({ names: texts, customer: text = null }: SetCustomerInput) =>
      asPayload(async () => {
        const checks = createChecks();
        const customer =
          text === null ? null : checks.check(['input', 'customer'], () => checkCustomer(text));
        const names = checkNames(checks, namesPath, texts, maxNames);
        checks.finish();
        const domains = await assertKnown(scope, names);
        await customers.assign(account, domains, customer, clock.now());
        return { domains };
      }),

    /** Removes labels, then sets others. A repetition after a failure completes both. */
    label: (input: LabelDomainsInput) =>
      asPayload(async () => {
        const checks = createChecks();
        const { set, remove } = checkLabels(checks, input);
        const names = checkNames(checks, namesPath, input.names, maxNames);
        checks.finish();
        const domains = await assertKnown(scope, names);
        await assertFew(tenant, domains, { set, remove });
        await customers.unlabel(account, domains, remove);
        const labels = domains.flatMap((domain) => set.map((label) => ({ domain, ...label })));
        await customers.label(account, labels, clock.now());
        return { domains };
      }),
  };
});

/**
 * The names, each once. The journal knows most domains; the list of domains is read when a name is not among them. To a caller
 * of a customer the account has the domains of this customer only.
 *
 * @throws Problems with the path of each unknown name
 */
async function assertKnown(
  { tenant: { journal, account }, caller, use }: Scope,
  names: readonly DomainName[],
): Promise<readonly DomainName[]> {
  const domains = [...new Set(names)];
  const found = caller.customer === null ? null : await journal.customers.of(account, domains);
  const own = found
    ? found.flatMap(({ domain, customer }) => (customer === caller.customer ? domain : []))
    : domains;
  const known = new Set(await use(storedDomains)(own));
  if (known.size < own.length) {
    const { lastRead } = await use(domainLists).list();
    for (const name of own) if (lastRead(name)) known.add(name);
  }
  const checks = createChecks();
  for (const name of domains) {
    if (known.has(name)) continue;
    const path = [...namesPath, String(names.indexOf(name))];
    checks.add(new Fault('NOT_FOUND', { message: `The account has no domain ${name}.`, path }));
  }
  checks.finish();
  return domains;
}

interface CheckedLabels {
  readonly set: readonly Label[];
  readonly remove: readonly string[];
}

function checkLabels(
  checks: Checks,
  { set, remove }: Pick<LabelDomainsInput, 'set' | 'remove'>,
): CheckedLabels {
  const [labels, removed] = [set ?? [], remove ?? []];
  if (labels.length + removed.length === 0) {
    checks.add(invalidInput('Send labels in "set" or "remove".', { path: ['input'] }));
  }
  for (const [member, { length }] of Object.entries({ set: labels, remove: removed })) {
    if (length <= maxLabels) continue;
    const message = `"${member}" has at most ${maxLabels} labels; it has ${length}.`;
    checks.add(invalidInput(message, { path: ['input', member] }));
  }
  const names = new Set(removed.map((name) => composed(name)));
  const checked = labels.map((label, at) =>
    checks.check(['input', 'set', String(at)], () => {
      const one = checkLabel(label);
      if (names.has(one.name)) throw invalidInput(`The label "${one.name}" occurs twice.`);
      names.add(one.name);
      return one;
    }),
  );
  for (const [at, name] of removed.entries()) {
    if (isLabelName(name)) continue;
    checks.add(invalidInput(`${labelRule}.`, { path: ['input', 'remove', String(at)] }));
  }
  return {
    set: checked.flatMap((label) => label ?? []),
    remove: removed.map((name) => composed(name)),
  };
}

/** @throws Problems with each domain that would have too many labels */
async function assertFew(
  { journal, account }: TenantFacts,
  domains: readonly DomainName[],
  { set, remove }: CheckedLabels,
): Promise<void> {
  const checks = createChecks();
  const found = Map.groupBy(
    await journal.customers.labels(account, domains),
    ({ domain }) => domain,
  );
  for (const [domain, labels] of found) {
    const names = new Set(labels.map(({ name }) => name));
    for (const name of remove) names.delete(name);
    for (const { name } of set) names.add(name);
    if (names.size <= maxLabels) continue;
    const message = `A domain has at most ${maxLabels} labels; ${domain} would have ${names.size}. Remove some of them.`;
    checks.add(invalidInput(message, { path: namesPath }));
  }
  checks.finish();
}
