import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { account } from '../../../test/persistence/claims.ts';
import { createTenant, type Tenant } from '../../../test/support/modules/journal-tenant.ts';
import { endOfTurn, secondMs } from '../../../test/support/simulated-clock.ts';
import { Fault } from '../../kernel/faults.ts';
import type { PurchaseRecord } from '../../persistence/purchase-record.ts';
import { createSettlementNotifier, type SettlementNotifier } from './settlement-notifier.ts';

let tenant: Tenant;
let notifier: SettlementNotifier;
/** The ids of each read, without the first read of each stream. */
let reads: (readonly string[])[];
let isOpening = false;
let trouble: Error | null;

beforeEach(async () => {
  tenant = await createTenant();
  [reads, trouble] = [[], null];
  notifier = createSettlementNotifier({
    account,
    clock: tenant.clock,
    journal: {
      async byIds(payer, ids) {
        if (!isOpening) reads.push(ids);
        if (trouble) throw trouble;
        return tenant.journal.byIds(payer, ids);
      },
    },
  });
});
afterEach(() => notifier.close());

const anyone = () => true;
const settle = (purchase: PurchaseRecord) => tenant.move(purchase, { to: 'SUCCEEDED' });
const ended = { done: true, value: undefined };

/** The next event of a stream, or `null` while there is none. */
const watch = (
  { id }: Pick<PurchaseRecord, 'id'>,
  isVisible: (one: PurchaseRecord) => boolean = anyone,
) => {
  const stream = notifier.settled(id, isVisible);
  const events: unknown[] = [];
  const read = async () => {
    for (;;) {
      const { done, value } = await stream.next();
      events.push(done ? 'end' : (value?.state ?? null));
      if (done) return;
    }
  };
  isOpening = true;
  void read().catch((error: Error) => events.push(error.message));
  isOpening = false;
  return { stream, events };
};

test.each(['SUCCEEDED', 'FAILED', 'UNKNOWN'] as const)(
  'a purchase that is %s is sent at once, without polling',
  async (to) => {
    const { events } = watch(await tenant.move(await tenant.send(), { to }));
    await endOfTurn();

    expect(events).toEqual([to, 'end']);
    expect([reads, tenant.time.waits()]).toEqual([[], []]);
  },
);

test.each([
  ['that does not exist', { id: 'unknown' }],
  ['that is not visible', {}],
])('a purchase %s is null', async (_which, changes) => {
  const { events } = watch({ ...(await tenant.send()), ...changes }, () => false);
  await endOfTurn();

  expect(events).toEqual([null, 'end']);
  expect(tenant.time.waits()).toEqual([]);
});

test('one read per second covers all subscribed purchases, until no subscriber is left', async () => {
  const one = await tenant.send();
  const two = await tenant.transfer();
  await tenant.send();
  const streams = [watch(one), watch(two), watch(two)];

  await tenant.time.pass(secondMs - 1);
  expect(reads).toEqual([]);
  await tenant.time.pass(1);
  await settle(one);
  await tenant.time.pass(secondMs);
  await settle(two);
  await tenant.time.pass(5 * secondMs);

  expect(streams.map(({ events }) => events)).toEqual(Array(3).fill(['SUCCEEDED', 'end']));
  expect(reads).toEqual([[one.id, two.id], [one.id, two.id], [two.id]]);
  expect(tenant.time.waits()).toEqual([]);

  const later = watch(await settle(await tenant.send()));
  const last = await tenant.claim();
  const next = watch(last);
  await tenant.time.pass(secondMs);
  expect([later.events, next.events]).toEqual([['SUCCEEDED', 'end'], []]);
  expect(reads.slice(3)).toEqual([[last.id]]);
});

test('a purchase that is no longer in the journal is null', async () => {
  const { events } = watch(await tenant.claim());
  await endOfTurn();
  tenant.clear();
  await tenant.time.pass(secondMs);

  expect(events).toEqual([null, 'end']);
});

test('a subscriber that leaves gets the end of its stream, and its purchase is no longer read', async () => {
  const [one, two] = [await tenant.send(), await tenant.send()];
  const left = watch(one);
  await endOfTurn();

  await left.stream.return?.();
  const other = watch(two);
  await settle(two);
  await tenant.time.pass(secondMs);

  expect([left.events, other.events]).toEqual([['end'], ['SUCCEEDED', 'end']]);
  expect(reads).toEqual([[two.id]]);
});

test('without subscribers the journal is not read', async () => {
  const left = watch(await tenant.send());
  await endOfTurn();
  await left.stream.return?.();
  await tenant.time.pass(2 * secondMs);

  expect(reads).toEqual([]);
  expect(tenant.time.waits()).toEqual([]);
});

describe('a reported settlement', () => {
  test('is sent to its subscribers at once, by a read of it alone', async () => {
    const [one, two] = [await tenant.send(), await tenant.send()];
    const [first, second, other] = [watch(one), watch(one), watch(two)];
    await endOfTurn();
    await settle(one);
    await settle(two);
    await notifier.check(one.id);
    await endOfTurn();

    expect([first, second, other].map(({ events }) => events)).toEqual([
      ['SUCCEEDED', 'end'],
      ['SUCCEEDED', 'end'],
      [],
    ]);
    expect(reads).toEqual([[one.id]]);
  });

  test('without a subscriber causes no read', async () => {
    watch(await tenant.send());
    await endOfTurn();
    await notifier.check('other');

    expect(reads).toEqual([]);
  });

  test('that cannot be read is sent by the next poll', async () => {
    const one = await tenant.send();
    const { events } = watch(one);
    await endOfTurn();
    await settle(one);
    trouble = new Error('a bug');
    await notifier.check(one.id);
    trouble = null;
    expect(events).toEqual([]);
    await tenant.time.pass(secondMs);

    expect(events).toEqual(['SUCCEEDED', 'end']);
  });
});

describe('a journal that cannot be read', () => {
  test('for a while is read again, every second', async () => {
    const one = await tenant.send();
    const { events } = watch(one);
    await endOfTurn();
    trouble = new Fault('JOURNAL_UNAVAILABLE');
    await tenant.time.pass(2 * secondMs);
    trouble = null;
    await settle(one);
    await tenant.time.pass(secondMs);

    expect(events).toEqual(['SUCCEEDED', 'end']);
    expect(reads).toHaveLength(3);
  });

  test('because of a bug rejects all subscribers, and the next subscriber starts a new read', async () => {
    const one = await tenant.send();
    const streams = [watch(one), watch(one)];
    await endOfTurn();
    trouble = new Error('a bug');
    await tenant.time.pass(secondMs);
    expect(streams.map(({ events }) => events)).toEqual([['a bug'], ['a bug']]);

    trouble = null;
    const { events } = watch(one);
    await settle(one);
    await tenant.time.pass(secondMs);
    expect(events).toEqual(['SUCCEEDED', 'end']);
  });

  test('when the subscription begins rejects this one, and is not polled for it', async () => {
    const one = await tenant.send();
    tenant.trouble.fails = /^select/;
    const { events } = watch(one);
    await endOfTurn();

    expect(events).toEqual([
      new Fault('JOURNAL_UNAVAILABLE', { message: 'The journal cannot be read.' }).message,
    ]);
    await tenant.time.pass(secondMs);
    expect(reads).toEqual([]);
  });
});

test('a notifier that closes ends all streams and starts no read', async () => {
  const one = await tenant.send();
  const streams = [watch(one), watch(one)];
  await endOfTurn();

  await notifier.close();
  await endOfTurn();

  expect(streams.map(({ events }) => events)).toEqual([['end'], ['end']]);
  expect(await notifier.settled(one.id, anyone).next()).toEqual(ended);
  await settle(one);
  expect(await notifier.settled(one.id, anyone).next()).toEqual(ended);
  expect([reads, tenant.time.waits()]).toEqual([[], []]);
});

test('a notifier that closes waits for its last read', async () => {
  const one = await tenant.send();
  const { events } = watch(one);
  await endOfTurn();
  const held = Promise.withResolvers<void>();
  tenant.trouble.beforeStatement = () => held.promise;
  await tenant.time.pass(secondMs);
  let isClosed = false;
  const closing = notifier.close().then(() => {
    isClosed = true;
  });
  await endOfTurn();

  expect([isClosed, events]).toEqual([false, ['end']]);
  held.resolve();
  await closing;
});
