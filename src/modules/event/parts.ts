import { dayMs } from '../../kernel/instant.ts';
import { type Fill, fill } from '../../scope/keys.ts';
import { observer, settings } from '../../scope/settings.ts';
import { perTenant } from '../../scope/tenant.ts';
import { writeLog } from '../domain/write-log.ts';
import { ledger, snapshot } from '../portfolio/parts.ts';
import { settledPurchases } from '../purchase/parts.ts';
import { Publisher } from './publisher.ts';
import { createEventStreams } from './streams.ts';
import { Watcher } from './watcher.ts';
import { createWriteLog } from './write-log.ts';

/** Compares the account with its last known states. */
export const watcher = perTenant('watcher', ({ facts, use, reports }) => {
  const { retentionDays, ...events } = use(settings).events;
  return new Watcher({
    ...facts,
    ...events,
    api: facts.domainApi,
    ledger: use(ledger),
    snapshot: use(snapshot),
    onRenewalsCovered: use(observer).renewalsCovered,
    retentionMs: retentionDays * dayMs,
    onError: reports('a comparison for events failed'),
  });
});

export const eventPublisher = perTenant('eventPublisher', ({ facts, use, reports }) => {
  const created = new Publisher({
    ...facts,
    store: facts.journal.events,
    isEnabled: use(settings).events.everyMs > 0,
    onError: reports('events cannot be stored'),
  });
  use(settledPurchases).listen(() => created.wake());
  return created;
});

export const eventStreams = perTenant('eventStreams', ({ facts }) =>
  createEventStreams({ ...facts, store: facts.journal.events }),
);

export const eventFills: readonly Fill[] = [
  fill(writeLog, ({ facts, use, reports }) =>
    createWriteLog({
      ...facts,
      store: facts.journal.domainWrites,
      events: facts.journal.events,
      isEnabled: use(settings).events.everyMs > 0,
      onEvent: () => use(eventPublisher).wake(),
      onError: reports('a write of a domain cannot be recorded'),
    }),
  ),
];
