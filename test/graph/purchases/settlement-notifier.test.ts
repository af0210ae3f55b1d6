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

/** A real journal that tells how often it was read, and a clock of which each second has to be let pass. */
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

test('what has ended already is told at once, and nothing is looked at again', async () => {
  await open(1);
  await settle(1);
  const stream = notifier.settled(idOf(1), anyone);

  expect(await stream.next()).toMatchObject({ done: false, value: { state: 'SUCCEEDED' } });
  expect(await stream.next()).toEqual(ended);
  expect([reads, waits]).toEqual([[], []]);
});

test('what nobody made is null', async () => {
  expect(await notifier.settled('nobody', anyone).next()).toEqual({ done: false, value: null });
});

test('all that is waited for is read together, once a second, until nobody waits', async () => {
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
  for (const told of two) expect(await told).toMatchObject({ value: { id: idOf(2) } });

  expect(reads).toEqual([[idOf(1), idOf(2)], [idOf(1), idOf(2)], [idOf(2)]]);
  expect(waits).toEqual([1_000, 1_000, 1_000]);
});

test('whoever leaves is told so at once and not read for any more', async () => {
  await open(1, 2);
  const stream = notifier.settled(idOf(1), anyone);
  const told = stream.next();
  await isWaiting();

  await stream.return?.();
  expect(await told).toEqual(ended);
  const other = notifier.settled(idOf(2), anyone).next();
  await settle(2);
  await aSecondLater();

  expect(await other).toMatchObject({ value: { id: idOf(2) } });
  expect(reads).toEqual([[idOf(2)]]);
});

describe('a journal that cannot be read', () => {
  test('for a while is asked again', async () => {
    await open(1);
    const told = notifier.settled(idOf(1), anyone).next();
    await isWaiting();
    trouble = new Fault('JOURNAL_UNAVAILABLE');
    await aSecondLater();
    await isWaiting(2);
    trouble = null;
    await settle(1);
    await aSecondLater();

    expect(await told).toMatchObject({ value: { state: 'SUCCEEDED' } });
  });

  test('because of a bug is told to all who wait, and the next one is watched for again', async () => {
    await open(1);
    const told = [
      notifier.settled(idOf(1), anyone).next(),
      notifier.settled(idOf(1), anyone).next(),
    ].map((one) => one.catch((error: Error) => error.message));
    await isWaiting();
    trouble = new Error('a bug');
    await aSecondLater();
    expect(await Promise.all(told)).toEqual(['a bug', 'a bug']);

    trouble = null;
    const next = notifier.settled(idOf(1), anyone).next();
    await isWaiting(2);
    await settle(1);
    await aSecondLater();
    expect(await next).toMatchObject({ value: { state: 'SUCCEEDED' } });
  });
});

test('a gateway that closes ends all that is waited for, and begins nothing more', async () => {
  await open(1);
  const told = [notifier.settled(idOf(1), anyone).next(), notifier.settled(idOf(1), anyone).next()];
  await isWaiting();

  await notifier.close();

  expect(await Promise.all(told)).toEqual([ended, ended]);
  expect(await notifier.settled(idOf(1), anyone).next()).toEqual(ended);
  expect(reads).toEqual([]);
});
