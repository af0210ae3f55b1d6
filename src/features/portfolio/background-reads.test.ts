import { describe, expect, test } from 'vitest';
import { claimNumber, moveTo, unlimited } from '../../../test/persistence/claims.ts';
import { knownNamesOf, listedOf, unlistedOf } from './test/known-domains.ts';
import {
  account,
  listMaxAgeMs,
  numbered,
  statusOf,
  useKnownPortfolio,
} from './test/known-portfolio.ts';
import { endOfTurn, hourMs, minuteMs, secondMs } from '../../../test/support/simulated-clock.ts';
import type { DomainName } from '../../kernel/domain-name.ts';
import { Fault } from '../../kernel/faults.ts';

const portfolio = useKnownPortfolio();
const [a, b, c, d] = numbered(4) as [DomainName, DomainName, DomainName, DomainName];

/** Until everything that is due was read. */
const settle = () => portfolio.pass(1);

/** A process that knows the domains, of which the list has the first one. Clients read its list every minute. */
async function startInUse(names: readonly DomainName[], changes = {}) {
  portfolio.own(names, names.slice(0, 1));
  const process = await portfolio.start('one', changes);
  const { snapshot, ledger } = process;
  await snapshot.read({});
  await ledger.import(names.slice(1));
  await settle();
  portfolio.takeReads();
  return {
    ...process,
    async use(ms: number) {
      for (let leftMs = ms; leftMs > 0; leftMs -= minuteMs) {
        await snapshot.read({});
        await portfolio.pass(Math.min(leftMs, minuteMs));
      }
    },
  };
}

describe('domains that the list leaves out', () => {
  test('are read when they are imported, and are in the list', async () => {
    portfolio.own([a, b, c], [a]);
    const { snapshot, ledger } = await portfolio.start();
    await snapshot.read({});

    await ledger.import([b, c]);
    await settle();

    expect(portfolio.takeReads().toSorted()).toEqual([b, c]);
    const list = await snapshot.read({});
    expect(list.index.names()).toEqual([a, b, c]);
    expect(list).toMatchObject({ knownCount: 3 });
    expect(portfolio.lists()).toBe(1);
  });

  test('are not read when the list has them', async () => {
    portfolio.own([a, b], [a, b]);
    const { ledger, store } = await portfolio.start();

    await ledger.import([b, c]);
    await settle();

    expect(portfolio.takeReads()).toEqual([c]);
    expect(portfolio.lists()).toBe(1);
    expect(await listedOf(store, account)).toEqual({ [a]: true, [b]: true });
  });

  test('are read when a later list has lost them', async () => {
    portfolio.own([a, b], [a, b]);
    const { snapshot } = await portfolio.start();
    await snapshot.read({});
    portfolio.list(b, false);

    await snapshot.readRefreshed({});
    await settle();

    expect(portfolio.takeReads()).toEqual([b]);
    expect(statusOf(await snapshot.read({}), b)).toBe('Active');
  });

  test('are read when another process imported them, within ten seconds', async () => {
    portfolio.own([a, b], [a]);
    await portfolio.start();
    const { ledger } = await portfolio.open();
    await settle();
    await ledger.add(account, [b], {
      ...{ source: 'IMPORTED', at: portfolio.now(), dueAt: portfolio.now() },
    });

    await portfolio.pass(10 * secondMs - 2);
    expect(portfolio.takeReads()).toEqual([]);
    await portfolio.pass(2);

    expect(portfolio.takeReads()).toEqual([b]);
  });

  test('are read a day after a purchase that settled while no gateway ran', async () => {
    portfolio.own([a], []);
    const journal = await portfolio.open();
    await journal.claim(claimNumber(1, { account, domain: a }), unlimited);
    await moveTo(journal, 'operation-001', 'SUCCEEDED');

    const { snapshot } = await portfolio.start();
    await settle();
    expect(portfolio.takeReads()).toEqual([]);
    await portfolio.pass(24 * hourMs);

    expect(portfolio.takeReads()).toEqual([a]);
    expect(statusOf(await snapshot.read({}), a)).toBe('Active');
  });

  test('purchases are added once, also when the journal was unavailable at the start', async () => {
    let isBroken = true;
    let additions = 0;
    const { store } = await portfolio.start('one', {
      store: (store) => ({
        ...store,
        addPurchased: (...input) => {
          additions += 1;
          if (isBroken) return Promise.reject(new Fault('JOURNAL_UNAVAILABLE'));
          return store.addPurchased(...input);
        },
      }),
    });
    const journal = await portfolio.open();
    await journal.claim(claimNumber(1, { account, domain: a }), unlimited);
    await moveTo(journal, 'operation-001', 'SUCCEEDED');
    await settle();
    isBroken = false;

    await portfolio.pass(10 * secondMs);

    expect(await unlistedOf(store, account)).toMatchObject([{ name: a, source: 'PURCHASED' }]);
    expect([additions, portfolio.errors()]).toEqual([2, []]);
    await portfolio.pass(minuteMs);
    expect(additions).toBe(2);
  });
});

describe('the budget', () => {
  /** The most reads that began within a minute. */
  const maxPerMinute = () => {
    const times = portfolio.readTimes();
    return Math.max(
      ...times.map((from) => times.filter((at) => at >= from && at < from + minuteMs).length),
    );
  };

  test('is never exceeded by two processes over one journal, and is used up', async () => {
    const names = numbered(60);
    portfolio.own(names, []);
    portfolio.slow({ details: 3_700 });
    const processes = [
      await portfolio.start('one', { perMinute: 1 }),
      await portfolio.start('two', { perMinute: 1 }),
    ];
    await processes[0]?.ledger.import(names.slice(0, 30));
    await processes[1]?.ledger.import(names.slice(30));

    await portfolio.pass(2 * minuteMs);
    // The other process continues.
    await processes[0]?.close();
    await portfolio.pass(5 * minuteMs);

    expect(maxPerMinute()).toBe(10);
    expect(portfolio.takeReads().toSorted()).toEqual(names);
  });

  test('is ten times as large for domains that were never read, and is used up', async () => {
    const names = numbered(100);
    portfolio.own(names, []);
    portfolio.slow({ details: 600 });
    const { ledger, snapshot } = await portfolio.start('one', { perMinute: 3, isWatched: true });
    await ledger.import(names);

    await portfolio.pass(5 * minuteMs);

    expect(maxPerMinute()).toBe(30);
    expect(portfolio.takeReads().toSorted()).toEqual(names);
    expect(await snapshot.read({})).toMatchObject({ knownCount: 100 });
    await portfolio.pass(hourMs - 5 * minuteMs);
    portfolio.takeReads();
    // All rows are an hour old.
    await portfolio.pass(2 * minuteMs);
    expect(portfolio.takeReads().length).toBeLessThanOrEqual(2 * 3);
  });

  test('is not larger for domains that a read did not find', async () => {
    const names = numbered(8);
    const { store } = await portfolio.start('one', { perMinute: 3 });
    await settle();
    const due = { at: portfolio.now(), dueAt: portfolio.now() };
    await store.add(account, names, { ...due, source: 'PURCHASED' });
    for (const name of names) await store.saveMissing(account, name, due);

    await portfolio.pass(3 * minuteMs);

    expect(maxPerMinute()).toBe(3);
    expect(portfolio.takeReads()).toEqual(names);
  });

  test('counts a domain that is written or removed again and again', async () => {
    const { ledger, snapshot, store } = await startInUse([a, b], { perMinute: 3 });
    await portfolio.pass(minuteMs);
    portfolio.takeReads();

    for (let at = 0; at < 100; at += 1) {
      await ledger.import([c]);
      await store.recordWrite(account, b, portfolio.now());
      await portfolio.pass(secondMs);
    }

    expect(maxPerMinute()).toBeLessThanOrEqual(3);
    expect(portfolio.takeReads().filter((name) => name === c)).toHaveLength(2);
    expect(snapshot.idleMs()).toBeGreaterThan(minuteMs);
  });

  test('is available after a process with a wrong clock used it', async () => {
    portfolio.own([a, b], []);
    const wrong = await portfolio.start('wrong', { perMinute: 1, aheadMs: 48 * hourMs });
    await wrong.ledger.import([a]);
    await settle();
    await wrong.close();
    expect(portfolio.takeReads()).toEqual([a]);

    const { ledger } = await portfolio.start('one', { perMinute: 1 });
    await ledger.import([b]);
    await settle();

    expect(portfolio.takeReads()).toEqual([b]);
  });

  test('without a budget nothing is read', async () => {
    portfolio.own([a, b], [a]);
    const { ledger, background } = await portfolio.start('one', { perMinute: 0 });
    await ledger.import([b]);
    background.wake();

    await portfolio.pass(hourMs);

    expect([portfolio.takeReads(), portfolio.lists(), portfolio.waits()]).toEqual([[], 0, []]);
  });

  test('costs no list while it is used up', async () => {
    portfolio.own(numbered(30), []);
    const { ledger } = await portfolio.start('one', { perMinute: 1, maxAgeMs: 0 });
    await settle();
    await ledger.import(numbered(30));

    await portfolio.pass(50 * secondMs);

    expect(portfolio.takeReads()).toHaveLength(10);
    expect([portfolio.lists(), portfolio.errors()]).toEqual([1, []]);
  });

  test('at most four domains are read at a time', async () => {
    portfolio.own(numbered(10), []);
    portfolio.slow({ details: secondMs });
    const { ledger } = await portfolio.start();

    await ledger.import(numbered(10));
    await settle();
    expect(portfolio.takeReads()).toHaveLength(4);
    await portfolio.pass(secondMs);

    expect(portfolio.takeReads()).toHaveLength(4);
  });
});

test('the longest overdue is read first', async () => {
  portfolio.own([a, b, c, d], []);
  const { store } = await portfolio.start('one', { perMinute: 1 });
  await settle();
  for (const [at, name] of [c, a, d, b].entries()) {
    const dueAt = new Date(portfolio.now().getTime() - hourMs + at * secondMs);
    await store.add(account, [name], { source: 'IMPORTED', at: portfolio.now(), dueAt });
  }

  await portfolio.pass(5 * minuteMs);

  expect(portfolio.takeReads()).toEqual([c, a, d, b]);
});

describe('processes over one journal', () => {
  test('read one at a time, and another one continues after the first has ended', async () => {
    portfolio.own(numbered(8), []);
    portfolio.slow({ details: secondMs });
    const [one, two] = [await portfolio.start('one'), await portfolio.start('two')];
    await settle();
    await one.ledger.import(numbered(8));
    await portfolio.pass(100);
    two.background.wake();
    await portfolio.pass(100);
    expect(portfolio.takeReads()).toHaveLength(4);
    await one.close();

    await portfolio.pass(10 * secondMs);
    expect(portfolio.takeReads()).toEqual([]);
    await portfolio.pass(minuteMs);

    expect(portfolio.takeReads()).toHaveLength(4);
  });

  test('read nothing after a list that took longer than the lease', async () => {
    portfolio.own(numbered(8), []);
    portfolio.slow({ list: 2 * minuteMs, details: 10 * secondMs });
    const one = await portfolio.start('one');
    await one.ledger.import(numbered(8));
    await portfolio.pass(70 * secondMs);
    portfolio.slow({ list: 45 * secondMs });
    await portfolio.start('two');

    // The lists end after 115 and 120 seconds.
    await portfolio.pass(51 * secondMs);

    expect(portfolio.lists()).toBe(2);
    expect(portfolio.takeReads()).toHaveLength(4);
  });
});

describe('a read that fails', () => {
  test('is made again after five minutes, and other domains are read', async () => {
    portfolio.own([a, b, c], []);
    portfolio.fail(a);
    const { ledger } = await portfolio.start();
    await ledger.import([a, b, c]);
    await settle();
    expect(portfolio.takeReads().toSorted()).toEqual([a, b, c]);

    await portfolio.pass(5 * minuteMs - secondMs);
    expect(portfolio.takeReads()).toEqual([]);
    await portfolio.pass(10 * secondMs);

    expect(portfolio.takeReads()).toEqual([a]);
    expect(portfolio.errors()).toEqual([]);
  });

  test('does not end the reads of the others', async () => {
    const names = numbered(9);
    portfolio.own(names, []);
    portfolio.fail(a);
    const { ledger } = await portfolio.start();
    await ledger.import(names);

    await settle();

    expect(portfolio.takeReads().toSorted()).toEqual(names);
  });

  test('ends the reads for ten seconds when the upstream refuses it for too many calls', async () => {
    const names = numbered(8);
    portfolio.own(names, []);
    portfolio.fail(a, new Fault('RATE_LIMITED'));
    const { ledger, snapshot } = await portfolio.start();
    await snapshot.read({});
    await settle();
    await ledger.import(names);

    await portfolio.pass(9 * secondMs);
    expect(portfolio.takeReads()).toEqual(names.slice(0, 4));
    await portfolio.pass(secondMs);

    expect(portfolio.takeReads()).toEqual(names.slice(4));
  });

  test('ends the reads for ten seconds when it is one of four that all fail', async () => {
    const names = numbered(6);
    portfolio.own(names, []);
    for (const name of names.slice(0, 4)) portfolio.fail(name);
    const { ledger, snapshot } = await portfolio.start();
    await snapshot.read({});
    await settle();
    await ledger.import(names);

    await portfolio.pass(10 * secondMs - 1);
    expect(portfolio.takeReads()).toEqual(names.slice(0, 4));
    await portfolio.pass(1);

    expect(portfolio.takeReads()).toEqual(names.slice(4));
  });

  test('for a bug is reported, and the reads continue', async () => {
    const bug = new TypeError('undefined is not a function');
    portfolio.own([a, b], []);
    portfolio.fail(a, bug);
    const { ledger } = await portfolio.start();
    await ledger.import([a, b]);
    await settle();

    expect(portfolio.errors()).toEqual([bug]);
    expect(portfolio.takeReads()).toHaveLength(2);
    await ledger.import([c]);
    await settle();
    expect(portfolio.takeReads()).toEqual([c]);
  });

  test('while the journal is unavailable nothing is read, and then the reads continue', async () => {
    let failure: Error | null = new Fault('JOURNAL_UNAVAILABLE');
    portfolio.own([a], []);
    const { ledger } = await portfolio.start('one', {
      store: (store) => ({
        ...store,
        takeDue: (...input) => (failure ? Promise.reject(failure) : store.takeDue(...input)),
      }),
    });
    await ledger.import([a]);
    await settle();
    expect([portfolio.takeReads(), portfolio.errors()]).toEqual([[], []]);
    failure = new TypeError('undefined is not a function');
    await portfolio.pass(10 * secondMs);
    expect(portfolio.errors()).toEqual([failure]);
    failure = null;

    await portfolio.pass(10 * secondMs);

    expect(portfolio.takeReads()).toEqual([a]);
  });

  test('of the list ends the reads for ten seconds', async () => {
    portfolio.own([a], []);
    portfolio.failList(new Fault('UPSTREAM_UNAVAILABLE'));
    const { ledger } = await portfolio.start();
    await settle();
    await ledger.import([a]);
    await settle();
    expect([portfolio.takeReads(), portfolio.lists()]).toEqual([[], 1]);
    portfolio.failList(null);

    await portfolio.pass(10 * secondMs);

    expect([portfolio.takeReads(), portfolio.errors()]).toEqual([[a], []]);
  });
});

describe('a domain that the upstream does not have', () => {
  const knownNames = async ({ store }: Awaited<ReturnType<typeof portfolio.start>>) =>
    (await knownNamesOf(store, account)).toSorted();

  test('leaves the ledger when it is missing for an hour', async () => {
    const process = await startInUse([a, b]);
    portfolio.lose(b);

    await process.use(hourMs + 10 * secondMs);
    expect(portfolio.takeReads()).toEqual([b]);
    expect(await knownNames(process)).toEqual([a, b]);
    expect(statusOf(await process.snapshot.read({}), b)).toBe('Active');
    await process.use(hourMs);

    expect(portfolio.takeReads()).toEqual([b]);
    expect(await knownNames(process)).toEqual([a]);
    const list = await process.snapshot.read({});
    expect([list.index.names(), list.knownCount]).toEqual([[a], 1]);
    await process.use(2 * hourMs);
    expect(portfolio.takeReads()).toEqual([]);
  });

  test('remains when it is there again within the hour', async () => {
    const process = await startInUse([a, b]);
    portfolio.lose(b);
    await process.use(hourMs + 10 * secondMs);
    expect(await unlistedOf(process.store, account)).toMatchObject([
      { missingAt: expect.any(Date) },
    ]);
    portfolio.setStatus(b, 'Active');

    await process.use(hourMs + 10 * secondMs);

    expect(await unlistedOf(process.store, account)).toMatchObject([{ name: b, missingAt: null }]);
  });

  test('remains when it was written and read again within the hour', async () => {
    const process = await startInUse([a, b]);
    portfolio.lose(b);
    await process.use(hourMs + 10 * secondMs);
    portfolio.takeReads();

    process.snapshot.invalidate(b);
    await portfolio.pass(minuteMs);

    // One for the list, and one in the background.
    expect(portfolio.takeReads()).toEqual([b, b]);
    expect(await knownNames(process)).toEqual([a, b]);
  });

  test('leaves the ledger at once when a client named it and the account never had it', async () => {
    portfolio.own([a], [a]);
    const process = await portfolio.start();
    await process.ledger.import([b]);

    await settle();

    expect(portfolio.takeReads()).toEqual([b]);
    expect(await knownNames(process)).toEqual([a]);
  });

  test('remains for an hour when it was bought or listed and never read', async () => {
    portfolio.own([a], [a, b]);
    portfolio.setStatus(b, 'Active');
    const process = await portfolio.start();
    await process.ledger.addPurchased(c);
    await process.snapshot.read({});
    portfolio.list(b, false);
    portfolio.lose(b);

    await process.snapshot.readRefreshed({});
    await settle();

    expect(portfolio.takeReads().toSorted()).toEqual([b, c]);
    expect(await knownNames(process)).toEqual([a, b, c]);
    await portfolio.pass(hourMs + 10 * secondMs);
    expect(portfolio.takeReads().toSorted()).toEqual([b, c]);
    expect(await knownNames(process)).toEqual([a]);
  });
});

describe('rows are renewed', () => {
  test('every hour while clients read the list', async () => {
    const { use, snapshot } = await startInUse([a, b]);
    portfolio.setStatus(b, 'Changed');

    await use(hourMs - secondMs);
    expect(portfolio.takeReads()).toEqual([]);
    await use(11 * secondMs);

    expect(portfolio.takeReads()).toEqual([b]);
    expect(statusOf(await snapshot.read({}), b)).toBe('Changed');
    await use(hourMs);
    expect(portfolio.takeReads()).toEqual([b]);
  });

  test('until ten minutes after the last read of the list', async () => {
    const { snapshot } = await startInUse([a, b]);
    await portfolio.pass(51 * minuteMs);
    await snapshot.read({});

    await portfolio.pass(10 * minuteMs);

    expect(portfolio.takeReads()).toEqual([b]);
  });

  test('every hour without a client while the domains are watched', async () => {
    portfolio.own([a, b], [a]);
    const { ledger } = await portfolio.start('one', { isWatched: true });
    await ledger.import([b]);
    await settle();
    expect(portfolio.takeReads()).toEqual([b]);

    await portfolio.pass(3 * hourMs + minuteMs);

    expect(portfolio.takeReads()).toEqual([b, b, b]);
  });

  test('never without a read of the list in ten minutes, also by a new process', async () => {
    const { close } = await startInUse([a, b]);
    await portfolio.pass(11 * minuteMs);
    const lists = portfolio.lists();

    await portfolio.pass(2 * hourMs);
    await close();
    await portfolio.start('two');
    await portfolio.pass(2 * hourMs);

    expect([portfolio.takeReads(), portfolio.lists()]).toEqual([[], lists]);
  });

  test('without a read of the list after a write, and for a domain that was never read', async () => {
    const { snapshot, ledger } = await startInUse([a, b]);
    await portfolio.pass(30 * minuteMs);

    snapshot.invalidate(b);
    await settle();
    expect(portfolio.takeReads()).toContain(b);
    await ledger.import([c]);
    await settle();

    expect(portfolio.takeReads()).toContain(c);
  });
});

test('a row has the time of its request, so that it does not count as newer than a write during the read', async () => {
  portfolio.own([a, b], [a]);
  const { snapshot, ledger, store } = await portfolio.start();
  await snapshot.read({});
  portfolio.slow({ details: 5 * secondMs });
  const requestedAt = portfolio.now();
  await ledger.import([b]);
  await portfolio.pass(minuteMs);

  expect(await unlistedOf(store, account)).toMatchObject([{ name: b, rowAt: requestedAt }]);
});

describe('closing', () => {
  test('stops the reads, and a cancelled read is no error', async () => {
    portfolio.own(numbered(8), []);
    portfolio.slow({ details: minuteMs });
    const { ledger, background, store } = await portfolio.start();
    await ledger.import(numbered(8));
    await settle();
    expect(portfolio.takeReads()).toHaveLength(4);

    await background.close();
    background.wake();
    await portfolio.pass(hourMs);

    expect([portfolio.takeReads(), portfolio.errors()]).toEqual([[], []]);
    expect(await unlistedOf(store, account)).toHaveLength(8);
  });

  test.each([
    ['while it waits', 0],
    ['while it reads the list', listMaxAgeMs],
  ])('%s ends at once', async (_when, listMs) => {
    portfolio.own([a], []);
    portfolio.slow({ list: listMs });
    const { ledger, background } = await portfolio.start();
    if (listMs > 0) await ledger.import([a]);
    await settle();

    await background.close();
    await endOfTurn();

    expect([portfolio.takeReads(), portfolio.errors()]).toEqual([[], []]);
  });
});
