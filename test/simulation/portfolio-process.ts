import type { CacheRevision } from '../../src/lib/cache-revision.ts';
import type { Clock, Randomness } from '../../src/lib/clock.ts';
import { Publisher } from '../../src/modules/event/publisher.ts';
import { Watcher } from '../../src/modules/event/watcher.ts';
import { createWriteLog } from '../../src/modules/event/write-log.ts';
import { createBackgroundReads } from '../../src/modules/portfolio/background-reads.ts';
import { createLedger } from '../../src/modules/portfolio/ledger.ts';
import { createSnapshot } from '../../src/modules/portfolio/snapshot.ts';
import type { Journal } from '../../src/persistence/journal.ts';
import type { LedgerStore } from '../../src/persistence/ledger-store.ts';
import type { DomainApi } from '../../src/upstream/domain-api/domain-api.ts';
import type { PortfolioHistory } from './portfolio-history.ts';
import type { PortfolioWeather } from './portfolio-weather.ts';

interface PortfolioOptions {
  readonly account: string;
  readonly journal: Journal;
  readonly api: DomainApi;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly revision: CacheRevision;
  readonly maxAgeMs: number;
  readonly quietWindowMs: number;
  readonly weather: PortfolioWeather;
  readonly history: PortfolioHistory | null;
  readonly onError: (error: unknown) => void;
}

/** Starts the parts of a process that know, read and compare the domains of the account, as `openTenant` does. */
export function startPortfolio(options: PortfolioOptions) {
  const { journal, api, weather, history, ...rest } = options;
  const { account, clock, randomness } = rest;
  const store = journal.ledger;
  let wakeReads = (): void => undefined;
  const ledger = createLedger({ ...rest, store, onDue: () => wakeReads() });
  const snapshot = createSnapshot({ ...rest, api, ledger });
  const takeDue: LedgerStore['takeDue'] = async (...due) => {
    const taken = await store.takeDue(...due);
    for (const { row, missingAt } of taken) {
      history?.readInBackground(row === null && missingAt === null);
    }
    return taken;
  };
  const countedStore: LedgerStore = Object.assign(Object.create(store), { takeDue });
  const backgroundReads = createBackgroundReads({
    ...{ store: countedStore, ledger, snapshot, account, clock, owner: randomness.uuid() },
    ...{ api, perMinute: weather.readsPerMinute, isWatched: true },
    onError: options.onError,
  });
  wakeReads = backgroundReads.wake;
  const { everyMs, expiryDays, balanceLow, renewalsDays, retentionMs } = weather;
  new Watcher({
    onRenewalsCovered: () => undefined,
    ...{ ...rest, journal, api, ledger, snapshot },
    ...{ everyMs, expiryDays, balanceLow, renewalsDays, retentionMs },
  });
  const eventPublisher = new Publisher({
    ...{ ...rest, store: journal.events, isEnabled: true },
  });
  const writeLog = createWriteLog({
    ...{ ...rest, store: journal.domainWrites, events: journal.events, isEnabled: true },
    onEvent: () => eventPublisher.wake(),
  });
  return { ledger, snapshot, eventPublisher, writeLog };
}
