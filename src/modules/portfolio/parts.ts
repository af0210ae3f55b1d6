import { type Fill, fill } from '../../scope/keys.ts';
import { perReads } from '../../scope/reads.ts';
import { settings } from '../../scope/settings.ts';
import { changedDomains, perTenant, signal, tenantHook } from '../../scope/tenant.ts';
import { createDomainLists, domainLists, resetLists, storedDomains } from '../domain/lists.ts';
import { settledPurchases } from '../purchase/parts.ts';
import { createBackgroundReads } from './background-reads.ts';
import { createLedger } from './ledger.ts';
import { restrictedTo } from './reads.ts';
import { createSnapshot } from './snapshot.ts';

/** The ledger has domains that must be read. */
const dueDomains = signal<void>('dueDomains');

export const ledger = perTenant(
  'ledger',
  ({ facts: { journal, account, clock }, use, reports }) => {
    const created = createLedger({
      store: journal.ledger,
      account,
      clock,
      onDue: () => void use(dueDomains).emit(),
      onError: reports('the known domains cannot be stored'),
    });
    use(settledPurchases).listen(({ state, domain }) =>
      state === 'SUCCEEDED' ? created.addPurchased(domain) : undefined,
    );
    return created;
  },
);

/** The cached list of domains. */
export const snapshot = perTenant('snapshot', ({ facts, use }) => {
  const { maxAges, portfolio } = use(settings);
  const created = createSnapshot({
    api: facts.domainApi,
    clock: facts.cacheClock,
    revision: facts.revision,
    maxAgeMs: maxAges.domainsMs,
    ledger: use(ledger),
    readsPerMinute: portfolio.readsPerMinute,
  });
  use(changedDomains).listen(created.invalidate);
  return created;
});

/** Whether rows are read in the background also while no request reads the list. */
export const isPortfolioWatched = tenantHook<boolean>('isPortfolioWatched', () => false);

export const backgroundReads = perTenant('backgroundReads', ({ facts, use, reports }) => {
  const { portfolio } = use(settings);
  const { journal, domainApi, account, clock, randomness } = facts;
  const created = createBackgroundReads({
    store: journal.ledger,
    ledger: use(ledger),
    snapshot: use(snapshot),
    api: domainApi,
    account,
    clock,
    owner: randomness.uuid(),
    isWatched: use(isPortfolioWatched),
    perMinute: portfolio.readsPerMinute,
    onError: reports('the background reads of domains failed'),
  });
  use(dueDomains).listen(created.wake);
  return created;
});

/** The lists of a request. */
export const portfolioReads = perReads(
  'portfolioReads',
  ({ tenant, view, options }) => {
    const lists = tenant.use(snapshot);
    const { read, readRefreshed } = view ? restrictedTo(view, lists) : lists;
    return createDomainLists(
      () => read(options()),
      () => readRefreshed(options()),
    );
  },
  resetLists,
);

export const portfolioFills: readonly Fill[] = [
  fill(domainLists, ({ use }) => use(portfolioReads)),
  fill(
    storedDomains,
    ({ facts: { journal, account } }) =>
      (names) =>
        journal.ledger.knownOf(account, names),
  ),
];
