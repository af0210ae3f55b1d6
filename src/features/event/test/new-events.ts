import { account, minute, name } from '../../../../test/persistence/claims.ts';
import type { NewEvent } from '../log.ts';
import type { EventStore, StateChange } from '../store.ts';

export const domain = (at: number) => name(`name-${String(at).padStart(3, '0')}.com`);

/** An event that differs from every other one by `at`. */
export const eventNumber = (at: number, changes: Partial<NewEvent> = {}): NewEvent => ({
  id: `event-${String(at).padStart(3, '0')}`,
  type: 'STATE_CHANGED',
  at: minute(at),
  subject: domain(at),
  domain: domain(at),
  purchaseId: null,
  source: 'UPSTREAM',
  caller: null,
  customer: null,
  before: 'ACTIVE',
  after: 'EXPIRED',
  ...changes,
});

/** The first state of a domain, with one event. */
export const changeNumber = (at: number, changes: Partial<NewEvent> = {}): StateChange => {
  const event = eventNumber(at, changes);
  return {
    subject: event.domain ?? event.subject,
    before: null,
    seen: `{"at":${at}}`,
    events: [event],
  };
};

export const changesFrom = (from: number, count: number) =>
  Array.from({ length: count }, (_, at) => changeNumber(from + at));

export const idsOf = (events: readonly NewEvent[]) => events.map(({ id }) => id);

/** A lease of an owner from one minute to another. */
export const leaseOf = (owner: string, from: number, until: number) => ({
  ...{ owner, now: minute(from), until: minute(until), latest: minute(from + 60) },
});

/** Publishes all events of the outbox. */
export const publishAll = async (events: EventStore): Promise<void> => {
  while (await events.publish(account, minute(60)));
};
