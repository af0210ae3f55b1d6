import { dayMs } from '../kernel/instant.ts';
import type { CacheRevision } from '../lib/cache-revision.ts';
import { Publisher } from '../modules/event/publisher.ts';
import { createEventStreams } from '../modules/event/streams.ts';
import { Watcher } from '../modules/event/watcher.ts';
import { createWriteLog } from '../modules/event/write-log.ts';
import { createBackgroundReads } from '../modules/portfolio/background-reads.ts';
import { createLedger } from '../modules/portfolio/ledger.ts';
import { createSnapshot } from '../modules/portfolio/snapshot.ts';
import type { DomainApi } from '../upstream/domain-api/domain-api.ts';
import type { TenantObserver } from './observe.ts';
import type { SharedDeps } from './shared-deps.ts';

interface DomainOptions {
  /** The name of the tenant. */
  readonly tenant: string;
  readonly account: string;
  readonly api: DomainApi;
  readonly revision: CacheRevision;
  readonly quietWindowMs: number;
  readonly observer: Pick<TenantObserver, 'renewalsCovered'>;
}

/** Starts the reads of the domains of one tenant, and the search for events in them. `opened` stops both. */
export function openDomains(
  { tenant, account, api, revision, quietWindowMs, observer }: DomainOptions,
  { clock, cacheClock, randomness, config, journal, log }: SharedDeps,
  opened: AsyncDisposableStack,
) {
  const logs = (message: string) => (error: unknown) => log.error(message, { tenant, error });
  const isWatched = config.events.everyMs > 0;
  const store = journal.ledger;
  const maxAgeMs = config.maxAges.domainsMs;
  // The background reads need the snapshot, which needs the ledger.
  let wakeReads = (): void => undefined;
  const ledger = createLedger({
    store,
    account,
    clock,
    onDue: () => wakeReads(),
    onError: logs('the known domains cannot be stored'),
  });
  const { readsPerMinute } = config.portfolio;
  const snapshot = createSnapshot({
    ...{ api, clock: cacheClock, revision, maxAgeMs, ledger, readsPerMinute },
  });
  opened.defer(() => snapshot.close());
  const backgroundReads = createBackgroundReads({
    store,
    ledger,
    snapshot,
    api,
    account,
    clock,
    owner: randomness.uuid(),
    isWatched,
    perMinute: readsPerMinute,
    onError: logs('the background reads of domains failed'),
  });
  opened.defer(() => backgroundReads.close());
  wakeReads = backgroundReads.wake;
  const watcher = new Watcher({
    journal,
    api,
    ledger,
    snapshot,
    account,
    clock,
    randomness,
    ...config.events,
    quietWindowMs,
    onRenewalsCovered: observer.renewalsCovered,
    retentionMs: config.events.retentionDays * dayMs,
    onError: logs('a comparison for events failed'),
  });
  opened.defer(() => watcher.close());
  const eventPublisher = new Publisher({
    store: journal.events,
    account,
    clock,
    isEnabled: isWatched,
    onError: logs('events cannot be stored'),
  });
  opened.defer(() => eventPublisher.close());
  const writeLog = createWriteLog({
    store: journal.domainWrites,
    events: journal.events,
    account,
    clock,
    randomness,
    isEnabled: isWatched,
    onEvent: () => eventPublisher.wake(),
    onError: logs('a write of a domain cannot be recorded'),
  });
  const eventStreams = createEventStreams({ store: journal.events, account, clock });
  opened.defer(() => eventStreams.close());
  return { ledger, snapshot, eventPublisher, writeLog, eventStreams };
}
