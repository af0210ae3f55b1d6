import { dayMs } from '../../kernel/instant.ts';
import { writeLog } from '../../modules/domain/write.ts';
import { settledPurchases } from '../../modules/purchase/parts.ts';
import { spendObserver } from '../../modules/purchase/spend-observer.ts';
import { type Fill, fill } from '../../scope/parts.ts';
import { perTenant, settings, signal, type Tenant } from '../../scope/tenant.ts';
import { isPortfolioWatched, ledger, snapshot } from '../portfolio/parts.ts';
import { Publisher } from './publisher.ts';
import { eventSettings } from './settings.ts';
import { createSpendEvents } from './spend-events.ts';
import { domainWriteStore, eventStore } from './stores.ts';
import { createEventStreams } from './streams.ts';
import { Watcher } from './watcher.ts';
import { createWriteLog } from './write-log.ts';

/** A person who tries the sandbox sees a change soon. */
const defaultEveryMs = { SANDBOX: 10_000, LIVE: 300_000 };

/** The settings of events. `everyMs` is 0 without events. */
export const eventOptions = perTenant('eventOptions', ({ facts, use }) => {
  const values = eventSettings.of(use(settings));
  return {
    everyMs: values.EVENTS_INTERVAL_SECONDS ?? defaultEveryMs[facts.gateway.environment],
    retentionMs: values.EVENTS_RETENTION_DAYS * dayMs,
    expiryDays: values.EXPIRY_EVENT_DAYS,
    balanceLow: values.BALANCE_LOW,
    renewalsDays: values.RENEWALS_DAYS,
    nearPercent: values.SPEND_LIMIT_NEAR_PERCENT,
  };
});

const isEnabled = ({ use }: Tenant): boolean => use(eventOptions).everyMs > 0;

/** The time until which the balances cover the renewals, in each comparison; null when that cannot be decided. */
export const renewalsCovered = signal<Date | null>('renewalsCovered');

/** Compares the account with its last known states. */
export const watcher = perTenant(
  'watcher',
  ({ facts, use, store, reports }) =>
    new Watcher({
      ...facts,
      ...use(eventOptions),
      store: store(eventStore),
      writes: store(domainWriteStore),
      api: facts.domainApi,
      ledger: use(ledger),
      snapshot: use(snapshot),
      onRenewalsCovered: (until) => void use(renewalsCovered).emit(until),
      onError: reports('a comparison for events failed'),
    }),
);

export const eventPublisher = perTenant('eventPublisher', (tenant) => {
  const { facts, use, store, reports } = tenant;
  const created = new Publisher({
    ...facts,
    store: store(eventStore),
    isEnabled: isEnabled(tenant),
    onError: reports('events cannot be stored'),
  });
  use(settledPurchases).listen(() => created.wake());
  return created;
});

export const eventStreams = perTenant('eventStreams', ({ facts, store }) =>
  createEventStreams({ ...facts, store: store(eventStore) }),
);

export const eventFills: readonly Fill[] = [
  fill(writeLog, (tenant) => {
    const { facts, use, store, reports } = tenant;
    return createWriteLog({
      ...facts,
      store: store(domainWriteStore),
      events: store(eventStore),
      isEnabled: isEnabled(tenant),
      onEvent: () => use(eventPublisher).wake(),
      onError: reports('a write of a domain cannot be recorded'),
    });
  }),
  fill(isPortfolioWatched, isEnabled),
  fill(spendObserver, (tenant) => {
    const { facts, use, store, reports } = tenant;
    return isEnabled(tenant)
      ? createSpendEvents({
          ...facts,
          store: store(eventStore),
          nearPercent: use(eventOptions).nearPercent,
          onError: reports('a spend limit cannot be checked'),
        })
      : null;
  }),
];
