import {
  createDomainLists,
  domainLists,
  resetLists,
  storedDomains,
} from '../../modules/domain/loader.ts';
import { settledPurchases } from '../../modules/purchase/parts.ts';
import { type Fill, fill } from '../../scope/parts.ts';
import { perReads } from '../../scope/reads.ts';
import { changedDomains, perTenant, settings, signal, tenantHook } from '../../scope/tenant.ts';
import type { OpenFeature } from '../../seam/feature.ts';
import { createBackgroundReads } from './background-reads.ts';
import { createLedger } from './ledger.ts';
import { createLedgerStore } from './ledger-store.ts';
import { restrictedTo } from './portfolio.ts';
import { portfolioSettings } from './settings.ts';
import { createSnapshot } from './snapshot.ts';

/** The ledger has domains that must be read. */
const dueDomains = signal<void>('dueDomains');

/** Of a part of cached lists, so that a response with it can be cached. */
export const ledgerStore = perTenant('ledgerStore', ({ facts }) =>
  createLedgerStore(facts.journal.database),
);

export const ledger = perTenant('ledger', ({ facts: { account, clock }, use, reports }) => {
  const created = createLedger({
    store: use(ledgerStore),
    account,
    clock,
    onDue: () => void use(dueDomains).emit(),
    onError: reports('the known domains cannot be stored'),
  });
  use(settledPurchases).listen(({ state, domain }) =>
    state === 'SUCCEEDED' ? created.addPurchased(domain) : undefined,
  );
  return created;
});

export const snapshot = perTenant('snapshot', ({ facts, use }) => {
  const values = use(settings);
  const created = createSnapshot({
    api: facts.domainApi,
    clock: facts.cacheClock,
    revision: facts.revision,
    maxAgeMs: values.maxAges.domainsMs,
    ledger: use(ledger),
    readsPerMinute: portfolioSettings.of(values).PORTFOLIO_READS_PER_MINUTE,
  });
  use(changedDomains).listen(created.invalidate);
  return created;
});

/** Whether rows are read in the background also while no request reads the list. */
export const isPortfolioWatched = tenantHook<boolean>('isPortfolioWatched', () => false);

export const backgroundReads = perTenant('backgroundReads', ({ facts, use, reports }) => {
  const { domainApi, account, clock, randomness } = facts;
  const created = createBackgroundReads({
    store: use(ledgerStore),
    ledger: use(ledger),
    snapshot: use(snapshot),
    api: domainApi,
    account,
    clock,
    owner: randomness.uuid(),
    isWatched: use(isPortfolioWatched),
    perMinute: portfolioSettings.of(use(settings)).PORTFOLIO_READS_PER_MINUTE,
    onError: reports('the background reads of domains failed'),
  });
  use(dueDomains).listen(created.wake);
  return created;
});

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

const fills: readonly Fill[] = [
  fill(domainLists, ({ use }) => use(portfolioReads)),
  fill(
    storedDomains,
    ({ facts: { account }, use }) =>
      (names) =>
        use(ledgerStore).knownOf(account, names),
  ),
];

export const open = (): OpenFeature => ({ fills, background: [snapshot, backgroundReads] });
