import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Fault } from '../../../src/kernel/faults.ts';
import {
  createSettlementNotifier,
  type SettlementNotifier,
} from '../../../src/modules/purchase/settlement-notifier.ts';
import { openSqliteJournal } from '../../../src/persistence/sqlite.ts';
import type { Journal } from '../../../src/persistence/store.ts';
import { account, claimNumber, minute } from '../../persistence/claims.ts';

/** A real journal that records its reads, and a clock that a test advances by seconds. */
let folder: string;
let journal: Journal;
let reads: (readonly string[])[];
let trouble: Error | null;
let second: PromiseWithResolvers<void>;
let waits: number[];
let notifier: SettlementNotifier;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'settlement-notifier-'));
  journal = await openSqliteJournal({ file: join(folder, 'journal.sqlite') });
  [reads, trouble, waits] = [[], null, []];
  second = Promise.withResolvers();
  notifier = createSettlementNotifier({
    account,
    journal: {
      byId: journal.byId,
      async byIds(payer, ids) {
        reads.push(ids);
        if (trouble) throw trouble;
        return journal.byIds(payer, ids);
      },
    },
    clock: {
      wait(ms, signal) {
        waits.push(ms);
        second = Promise.withResolvers();
        signal?.addEventListener('abort', () => second.reject(signal.reason));
        return second.promise;
      },
    },
  });
});
afterEach(async () => {
  await notifier.close();
  await journal.close();
  rmSync(folder, { recursive: true });
});

const anyone = () => true;
const idOf = (at: number) => claimNumber(at).id;
const open = async (...all: number[]) => {
  for (const at of all) {
    await journal.claim(claimNumber(at), { GATEWAY: {}, KEY: {} });
    await journal.move(idOf(at), ['CLAIMED'], { to: 'SENDING', at: minute(at) });
  }
};
const settle = (at: number) =>
  journal.move(idOf(at), ['SENDING'], { to: 'SUCCEEDED', at: minute(at + 1) });
const aSecondLater = async () => {
  const before = waits.length;
  const wasRead = reads.length;
  second.resolve();
  await expect
    .poll(() => waits.length > before || reads.length > wasRead, { interval: 1 })
    .toBe(true);
};
const isWaiting = (count = 1) => expect.poll(() => waits.length, { interval: 1 }).toBe(count);
const ended = { done: true, value: undefined };

test('a settled purchase is returned at once, without polling', async () => {
  await open(1);
  await settle(1);
  const stream = notifier.settled(idOf(1), anyone);

  expect(await stream.next()).toMatchObject({ done: false, value: { state: 'SUCCEEDED' } });
  expect(await stream.next()).toEqual(ended);
  expect([reads, waits]).toEqual([[], []]);
});

test('an unknown purchase is null', async () => {
  expect(await notifier.settled('unknown', anyone).next()).toEqual({ done: false, value: null });
});

test('one read per second covers all subscribed purchases, until no subscriber is left', async () => {
  await open(1, 2, 3);
  const one = notifier.settled(idOf(1), anyone).next();
  const two = [notifier.settled(idOf(2), anyone).next(), notifier.settled(idOf(2), anyone).next()];
  await isWaiting();

  await aSecondLater();
  await isWaiting(2);
  await settle(1);
  await aSecondLater();
  expect(await one).toMatchObject({ value: { id: idOf(1), state: 'SUCCEEDED' } });
  await isWaiting(3);
  await settle(2);
  await aSecondLater();
  for (const result of two) expect(await result).toMatchObject({ value: { id: idOf(2) } });

  expect(reads).toEqual([[idOf(1), idOf(2)], [idOf(1), idOf(2)], [idOf(2)]]);
  expect(waits).toEqual([1_000, 1_000, 1_000]);
});

test('a subscriber that leaves gets the end of its stream, and its purchase is no longer read', async () => {
  await open(1, 2);
  const stream = notifier.settled(idOf(1), anyone);
  const result = stream.next();
  await isWaiting();

  await stream.return?.();
  expect(await result).toEqual(ended);
  const other = notifier.settled(idOf(2), anyone).next();
  await settle(2);
  await aSecondLater();

  expect(await other).toMatchObject({ value: { id: idOf(2) } });
  expect(reads).toEqual([[idOf(2)]]);
});

describe('a journal that cannot be read', () => {
  test('for a while is read again', async () => {
    await open(1);
    const result = notifier.settled(idOf(1), anyone).next();
    await isWaiting();
    trouble = new Fault('JOURNAL_UNAVAILABLE');
    await aSecondLater();
    await isWaiting(2);
    trouble = null;
    await settle(1);
    await aSecondLater();

    expect(await result).toMatchObject({ value: { state: 'SUCCEEDED' } });
  });

  test('because of a bug rejects all subscribers, and the next subscriber starts a new read', async () => {
    await open(1);
    const results = [
      notifier.settled(idOf(1), anyone).next(),
      notifier.settled(idOf(1), anyone).next(),
    ].map((one) => one.catch((error: Error) => error.message));
    await isWaiting();
    trouble = new Error('a bug');
    await aSecondLater();
    expect(await Promise.all(results)).toEqual(['a bug', 'a bug']);

    trouble = null;
    const next = notifier.settled(idOf(1), anyone).next();
    await isWaiting(2);
    await settle(1);
    await aSecondLater();
    expect(await next).toMatchObject({ value: { state: 'SUCCEEDED' } });
  });
});

test('a notifier that closes ends all streams and starts no read', async () => {
  await open(1);
  const results = [
    notifier.settled(idOf(1), anyone).next(),
    notifier.settled(idOf(1), anyone).next(),
  ];
  await isWaiting();

  await notifier.close();

  expect(await Promise.all(results)).toEqual([ended, ended]);
  expect(await notifier.settled(idOf(1), anyone).next()).toEqual(ended);
  expect(reads).toEqual([]);
});
