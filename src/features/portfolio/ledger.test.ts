import { StatementSync } from 'node:sqlite';
import { describe, expect, test, vi } from 'vitest';
import { claimNumber, moveTo, unlimited } from '../../../test/persistence/claims.ts';
import {
  endOfTurn,
  hourMs,
  minuteMs,
  secondMs,
  withinTurns,
} from '../../../test/support/simulated-clock.ts';
import type { DomainName } from '../../kernel/domain-name.ts';
import { Fault, notCached } from '../../kernel/faults.ts';
import type { Clock } from '../../lib/clock.ts';
import { createLedger } from './ledger.ts';
import type { LedgerStore } from './ledger-store.ts';
import { listedOf, unlistedOf } from './test/known-domains.ts';
import {
  account,
  listMaxAgeMs,
  numbered,
  rowOf,
  statusOf,
  useKnownPortfolio,
} from './test/known-portfolio.ts';

const portfolio = useKnownPortfolio();
const [a, b, c] = numbered(3) as [DomainName, DomainName, DomainName];

/** A ledger over its own connection, and how often it reported due domains. */
async function open(
  change: (store: LedgerStore) => LedgerStore = (store) => store,
  clock: Clock = portfolio.clock(),
) {
  const journal = await portfolio.open();
  const store = change(journal.ledger);
  const reports = { due: 0, errors: [] as unknown[] };
  const ledger = createLedger({
    ...{ store, account, clock },
    onDue: () => {
      reports.due += 1;
    },
    onError: (error) => void reports.errors.push(error),
  });
  const record = async (names: readonly DomainName[]) => (await ledger.record(names)).leftOut;
  const known = () => listedOf(journal.ledger, account);
  const unlisted = () => unlistedOf(journal.ledger, account);
  return { journal, store, ledger, reports, record, known, unlisted };
}

describe('a list is recorded:', () => {
  test('new domains are known, and those that later lists leave out are unlisted', async () => {
    const { unlisted, record, known, reports } = await open();

    await record([a, b]);
    expect(await known()).toEqual({ [a]: true, [b]: true });
    expect([await unlisted(), reports.due]).toEqual([[], 0]);
    await record([a, c]);

    expect(await known()).toEqual({ [a]: true, [b]: false, [c]: true });
    expect(await unlisted()).toMatchObject([{ name: b, source: 'LISTED', row: null }]);
    expect(reports.due).toBe(1);
  });

  test('a domain that a list has again is listed', async () => {
    const { record, known } = await open();
    for (const names of [[a, b], [a], [a, b]]) await record(names);

    expect(await known()).toEqual({ [a]: true, [b]: true });
  });

  test('a list that equals the last one is recorded again, because another replica may have recorded another one', async () => {
    const [one, two] = [await open(), await open()];
    for (const names of [[a, b], [a]]) await one.record(names);
    await two.record([a, b]);

    await one.record([a]);

    expect(await one.known()).toEqual({ [a]: true, [b]: false });
    expect(await one.unlisted()).toMatchObject([{ name: b }]);
  });

  test('the same array of names is compared after each write of this process, and after a second', async () => {
    const [one, two] = [await open(), await open()];
    const names = [a];
    await one.record([a, b]);
    const isLeftOut = async (name: DomainName) =>
      (await one.record(names)).some((known) => known.name === name);
    for (let at = 0; at < 2; at += 1) await one.record(names);

    await one.ledger.import([c]);
    expect(await isLeftOut(c)).toBe(true);

    const [other] = numbered(4).slice(3) as [DomainName];
    await portfolio.pass(secondMs);
    await one.record(names);
    await two.ledger.import([other]);
    expect(await isLeftOut(other)).toBe(false);
    await portfolio.pass(secondMs);
    expect(await isLeftOut(other)).toBe(true);
  });

  test('the known domains that it leaves out are returned, whichever list has them', async () => {
    const [one, two] = [await open(), await open()];
    await one.record([a, b, c]);
    expect(await two.record([a])).toEqual([b, c].map((name) => ({ name, unlisted: null })));
    await two.ledger.save(b, rowOf(b), portfolio.now());
    await one.record([a, c]);

    expect(await two.record([a])).toMatchObject([
      { name: b, unlisted: { rowAt: portfolio.now() } },
      { name: c, unlisted: null },
    ]);
  });

  test('of different lists that are recorded at once none hides a domain from the other', async () => {
    const [one, two] = [await open(), await open()];
    await one.record([a, b, c]);

    for (let at = 0; at < 5; at += 1) {
      const leftOut = await Promise.all([one.record([a, b]), two.record([b, c])]);

      expect(leftOut).toMatchObject([[{ name: c }], [{ name: a }]]);
    }
  });

  test.each([
    ['one statement', []],
    ['a second one for the rows of unlisted domains', [c]],
  ])('an equal list takes %s', async (_what, unlisted) => {
    const { ledger, record } = await open();
    await ledger.import(unlisted);
    await record([a, b]);
    const runs = (['all', 'run'] as const).map((method) =>
      vi.spyOn(StatementSync.prototype, method),
    );

    await record([a, b]);

    const counts = runs.map(({ mock }) => mock.calls.length);
    for (const run of runs) run.mockRestore();
    expect(counts).toEqual([1 + unlisted.length, 0]);
  });

  test('the known domains that it leaves out are returned when its names cannot be stored', async () => {
    const { record } = await open((store) => ({
      ...store,
      markListed: () => Promise.reject(new Fault('JOURNAL_UNAVAILABLE')),
    }));
    await record([a, b]);

    expect(await record([a])).toEqual([{ name: b, unlisted: null }]);
  });

  test('a domain whose row is in the list has no row that is older in a later list', async () => {
    const [one, two] = [await open(), await open()];
    await one.record([a, b]);
    await two.record([a]);
    await two.ledger.save(b, rowOf(b), portfolio.now());
    await one.record([a, b]);

    await one.record([a]);

    expect(await one.unlisted()).toMatchObject([{ name: b, row: null }]);
  });

  test('of a list that changed only the changes are written', async () => {
    const written: (readonly [string, readonly DomainName[]])[] = [];
    const { record } = await open((store) => ({
      ...store,
      add: (of, names, how) => {
        written.push(['add', names]);
        return store.add(of, names, how);
      },
      markListed: (of, names, isListed) => {
        written.push([isListed ? 'listed' : 'unlisted', names]);
        return store.markListed(of, names, isListed);
      },
    }));
    for (const names of [[a, b], [b]]) await record(names);
    written.length = 0;

    await record([a, c]);

    expect(written).toEqual([
      ['add', [c]],
      ['listed', [a]],
      ['unlisted', [b]],
    ]);
  });

  test('lists are recorded one after the other, in their order', async () => {
    const { ledger, known } = await open();

    await Promise.all([[a], [a, b], [b], [b, c]].map(ledger.record));

    expect(await known()).toEqual({ [a]: false, [b]: true, [c]: true });
  });

  test('more domains than a page of the journal has are all recorded', async () => {
    const names = numbered(10_001);
    const { record, known, reports } = await open();
    await record(names);

    await record(names.slice(0, 5_000));

    const listed = Object.values(await known());
    expect(listed).toHaveLength(10_001);
    expect(listed.filter((one) => one)).toHaveLength(5_000);
    expect(reports.due).toBe(1);
  });

  test('a large list is read and stored in parts, and other requests run between two of them', async () => {
    const steps: (number | 'other requests')[] = [];
    const step = <T>(names: readonly unknown[], result: T): T => {
      steps.push(names.length);
      return result;
    };
    let ms = 0;
    const clock = {
      ...portfolio.clock(),
      // Each part takes longer than a slice.
      monotonicMs: () => ms++,
      wait: async () => void steps.push('other requests'),
    };
    const { ledger, known } = await open(
      (store) => ({
        ...store,
        async known(...page) {
          const domains = await store.known(...page);
          return step(domains, domains);
        },
        add: (of, names, how) => step(names, store.add(of, names, how)),
        markListed: (of, names, isListed) => step(names, store.markListed(of, names, isListed)),
      }),
      clock,
    );
    const names = numbered(3_000);

    await ledger.record(names.slice(0, 2_500));
    await ledger.record(names.slice(1_500));
    await ledger.record(names);

    const sizes = steps.filter((one) => one !== 'other requests');
    expect(Math.max(...sizes)).toBeLessThanOrEqual(1_000);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(
      // Read, added, and unlisted or listed again.
      0 + 2_500 + (2_500 + 500 + 1_500) + (3_000 + 1_500),
    );
    for (const [at, size] of steps.entries()) {
      if (at > 0 && size !== 'other requests') expect(steps[at - 1]).toBe('other requests');
    }
    expect(Object.values(await known())).toEqual(names.map(() => true));
  });

  test('a purchased domain that was never read is due once a list leaves it out', async () => {
    const { ledger, store, record } = await open();
    const isDue = () => {
      const now = portfolio.now();
      const counted = { after: now, until: now };
      const latest = new Date(now.getTime() + 48 * hourMs);
      return store.hasDue(account, { now, counted, latest, which: 'UNREAD' });
    };
    await ledger.addPurchased(a);
    expect(await isDue()).toBe(false);

    await record([b]);

    expect(await isDue()).toBe(true);
  });

  test('after a failure of the journal the same list is recorded', async () => {
    let isBroken = true;
    const { ledger, record, known, reports } = await open((store) => ({
      ...store,
      add: (...input) =>
        isBroken ? Promise.reject(new Fault('JOURNAL_UNAVAILABLE')) : store.add(...input),
    }));
    await record([a]);
    expect(await ledger.known()).toEqual([]);
    isBroken = false;

    await record([a]);

    expect(await known()).toEqual({ [a]: true });
    expect(reports.errors).toEqual([]);
  });

  test('a bug is reported, and the next list is recorded', async () => {
    const bug = new TypeError('undefined is not a function');
    let isBroken = true;
    const { record, known, reports } = await open((store) => ({
      ...store,
      add: (...input) => (isBroken ? Promise.reject(bug) : store.add(...input)),
    }));
    await record([a]);
    isBroken = false;

    await record([a, b]);

    expect(reports.errors).toEqual([bug]);
    expect(await known()).toEqual({ [a]: true, [b]: true });
  });
});

describe('a domain that a client names', () => {
  test('is counted when it is new, and is due at once', async () => {
    const { ledger, reports, unlisted } = await open();

    expect(await ledger.import([a, b])).toBe(2);
    expect(reports.due).toBe(1);
    expect(await ledger.import([a, b])).toBe(0);

    expect(reports.due).toBe(1);
    expect(await unlisted()).toMatchObject([
      { name: a, source: 'IMPORTED', addedAt: portfolio.now() },
      { name: b, source: 'IMPORTED' },
    ]);
  });

  test('is refused while the journal cannot be written', async () => {
    const { ledger, journal } = await open();
    await journal.close();

    await expect(ledger.import([a])).rejects.toMatchObject({ code: 'JOURNAL_UNAVAILABLE' });
  });
});

describe('without a journal', () => {
  test('reads and background writes do not fail, and nothing is reported as a bug', async () => {
    const { ledger, journal, reports } = await open();
    await journal.close();

    expect(await ledger.record([a])).toEqual({ leftOut: [], isRecorded: false });
    ledger.recordWrite(a);
    await endOfTurn();

    expect(await ledger.known()).toEqual([]);
    await ledger.save(a, rowOf(a), portfolio.now());
    await ledger.addPurchased(a);
    expect(reports).toEqual({ due: 0, errors: [] });
  });

  test('a bug of any use of the journal is reported once', async () => {
    const bug = new TypeError('undefined is not a function');
    const { ledger, reports } = await open(({ revision, ...store }) => ({
      ...new Proxy(store, { get: () => () => Promise.reject(bug) }),
      revision,
    }));

    expect(await ledger.known()).toEqual([]);
    await ledger.save(a, rowOf(a), portfolio.now());
    await ledger.addPurchased(a);
    ledger.recordWrite(a);
    await endOfTurn();
    expect(await ledger.record([a])).toEqual({ leftOut: [], isRecorded: false });

    expect(reports).toEqual({ due: 0, errors: [bug, bug, bug, bug, bug] });
  });
});

test('the row of a domain is due an hour after its request', async () => {
  const { ledger, store, unlisted } = await open();
  await ledger.import([a]);
  const requestedAt = portfolio.now();
  await portfolio.pass(minuteMs);

  await ledger.save(a, rowOf(a), requestedAt);

  const dueAt = (ms: number) => {
    const now = new Date(requestedAt.getTime() + ms);
    const latest = new Date(now.getTime() + 48 * hourMs);
    return store.hasDue(account, {
      now,
      counted: { after: now, until: now },
      latest,
      which: 'ALL',
    });
  };
  expect(await unlisted()).toMatchObject([{ name: a, rowAt: requestedAt }]);
  expect([await dueAt(hourMs - 1), await dueAt(hourMs)]).toEqual([false, true]);
});

test('a write of an unlisted domain is stored and reported', async () => {
  const { ledger, reports, unlisted } = await open();
  await ledger.import([a]);
  await ledger.save(a, rowOf(a), portfolio.now());
  await portfolio.pass(secondMs);

  ledger.recordWrite(a);
  await endOfTurn();

  expect(await unlisted()).toMatchObject([{ name: a, changedAt: portfolio.now() }]);
  expect(reports.due).toBe(2);
});

test.each([
  ['one purchase', 'addPurchased'],
  ['all purchases', 'addAllPurchased'],
] as const)(
  'the domain of %s is known and is read a day later without a list',
  async (_what, add) => {
    const { ledger, store, journal, reports, unlisted } = await open();
    if (add === 'addPurchased') await ledger.addPurchased(a);
    else {
      await journal.claim(claimNumber(1, { account, domain: a }), unlimited);
      await moveTo(journal, 'operation-001', 'SUCCEEDED');
      await ledger.addAllPurchased();
    }

    expect(await unlisted()).toMatchObject([{ name: a, source: 'PURCHASED' }]);
    const dueAfter = (ms: number) => {
      const now = new Date(portfolio.now().getTime() + ms);
      const latest = new Date(now.getTime() + 48 * hourMs);
      return store.hasDue(account, {
        now,
        counted: { after: now, until: now },
        latest,
        which: 'UNREAD',
      });
    };
    expect([await dueAfter(24 * hourMs - 1), await dueAfter(24 * hourMs)]).toEqual([false, true]);
    expect(reports.due).toBe(0);
  },
);

describe('the list of domains', () => {
  test('has the rows of the ledger, and is complete when every counted domain has a row', async () => {
    portfolio.own([a, b, c], [a]);
    const { snapshot, ledger } = await portfolio.start('one', { perMinute: 0 });
    const first = await snapshot.read({});
    expect(first).toMatchObject({ complete: false, isListComplete: false, knownCount: 1 });
    const firstAt = portfolio.now();
    await ledger.import([b, c]);
    await portfolio.pass(secondMs);

    await ledger.save(b, rowOf(b), portfolio.now());
    await snapshot.mergeLedger();
    const partial = await snapshot.read({});

    expect(partial).toMatchObject({ complete: false, knownCount: 3, upstreamCount: 3 });
    expect(statusOf(partial, b)).toBe('Active');
    expect(partial.find(b)).toBeNull();
    expect(partial.find(a)?.name).toBe(a);
    expect(partial.index.find(b)?.authCode).toBe(notCached);
    await ledger.save(c, rowOf(c), portfolio.now());
    const refreshed = await snapshot.readRefreshed({});
    expect(refreshed).toMatchObject({
      ...{ complete: true, isListComplete: false, knownCount: 3 },
      oldestRowAt: new Date(firstAt.getTime() + secondMs),
    });
    expect(refreshed.index.names()).toEqual([a, b, c]);
  });

  test('the oldest row has the time of its request, and that of the list when all are newer', async () => {
    portfolio.own([a, b, c], [a]);
    const { snapshot, ledger } = await portfolio.start('one', { perMinute: 0 });
    await ledger.import([b, c]);
    const times = [portfolio.now()];
    await ledger.save(b, rowOf(b), portfolio.now());
    await portfolio.pass(secondMs);
    times.push(portfolio.now());
    await ledger.save(c, rowOf(c), portfolio.now());
    await portfolio.pass(secondMs);

    const { asOf, oldestRowAt } = await snapshot.read({});
    expect([oldestRowAt, asOf]).toEqual([times[0], portfolio.now()]);
    await portfolio.pass(secondMs);
    for (const name of [b, c]) await ledger.save(name, rowOf(name), portfolio.now());
    await snapshot.mergeLedger();

    const later = await snapshot.read({});
    expect([later.oldestRowAt, later.asOf]).toEqual([asOf, asOf]);
  });

  test('a domain that was added after the list was requested does not make it complete', async () => {
    portfolio.own([a, b], [a]);
    const { snapshot, ledger } = await portfolio.start('one', { perMinute: 0 });
    await snapshot.read({});
    await portfolio.pass(secondMs);
    await ledger.import([c]);
    await ledger.save(c, rowOf(c), portfolio.now());

    await snapshot.mergeLedger();

    expect(await snapshot.read({})).toMatchObject({ complete: false, knownCount: 2 });
  });

  test('a known domain that was never read is missing, also when the upstream counts none more', async () => {
    portfolio.own([a], [a]);
    const { snapshot, ledger } = await portfolio.start('one', { perMinute: 0 });
    expect(await snapshot.read({})).toMatchObject({ complete: true, isListComplete: true });

    await ledger.import([b]);
    await snapshot.mergeLedger();

    expect(await snapshot.read({})).toMatchObject({
      ...{ complete: false, isListComplete: true, knownCount: 2 },
    });
  });

  test('an equal list is recorded when the journal failed at the first one', async () => {
    portfolio.own([a], [a]);
    let isAway = true;
    const { snapshot, ledger } = await portfolio.start('one', {
      perMinute: 0,
      store: (store) => ({
        ...store,
        add: (...call) =>
          isAway ? Promise.reject(new Fault('JOURNAL_UNAVAILABLE')) : store.add(...call),
      }),
    });
    await snapshot.read({});
    isAway = false;

    await snapshot.readRefreshed({});

    expect([...(await ledger.names())]).toEqual([a]);
  });

  test('a domain that a list leaves out for the first time is known and missing at once', async () => {
    portfolio.own([a, b], [a, b]);
    const { snapshot } = await portfolio.start('one', { perMinute: 0 });
    await snapshot.read({});
    portfolio.list(b, false);

    expect(await snapshot.readRefreshed({})).toMatchObject({ complete: false, knownCount: 2 });
  });

  test('a known domain is missing, also when another replica has recorded a list with it since', async () => {
    portfolio.own([a], [a]);
    const { ledger, snapshot } = await portfolio.start('one', { perMinute: 0 });
    const another = await portfolio.start('two', { perMinute: 0 });
    await ledger.record([a, b]);
    expect(await snapshot.read({})).toMatchObject({ complete: false, knownCount: 2 });

    await another.ledger.record([a, b]);
    await snapshot.mergeLedger();

    expect(await snapshot.read({})).toMatchObject({ complete: false, knownCount: 2 });
  });

  test('the row of a domain that the last read did not find is none that the upstream counts', async () => {
    portfolio.own([a, b], [a]);
    const { snapshot, ledger, store } = await portfolio.start('one', { perMinute: 0 });
    await ledger.import([b]);
    await ledger.save(b, rowOf(b), portfolio.now());
    expect(await snapshot.read({})).toMatchObject({ complete: true });
    portfolio.own([a, c], [a]);
    await portfolio.pass(secondMs);

    const at = portfolio.now();
    await store.saveMissing(account, b, { at, dueAt: at });

    expect(await snapshot.readRefreshed({})).toMatchObject({ complete: false, knownCount: 2 });
  });

  test('a merge that ends after a refresh does not replace the newer list', async () => {
    portfolio.own([a], [a]);
    const held = Promise.withResolvers<void>();
    let reads = 0;
    const { snapshot } = await portfolio.start('one', {
      perMinute: 0,
      store: (store) => ({
        ...store,
        async known(...page) {
          reads += 1;
          if (reads === 2) await held.promise;
          return store.known(...page);
        },
      }),
    });
    await snapshot.read({});
    const merging = snapshot.mergeLedger();
    await endOfTurn();
    expect(reads).toBe(2);
    portfolio.setStatus(a, 'Changed');
    await snapshot.readRefreshed({});
    held.resolve();
    await merging;

    expect(statusOf(await snapshot.read({}), a)).toBe('Changed');
  });

  test('rows that are merged change the revision of cached responses', async () => {
    portfolio.own([a, b], [a]);
    const { snapshot, ledger, revision } = await portfolio.start('one', { perMinute: 0 });
    await snapshot.mergeLedger();
    await snapshot.read({});
    const before = revision.current;

    await ledger.import([b]);
    await snapshot.mergeLedger();

    expect(revision.current).toBeGreaterThan(before);
  });

  test('without caching is recorded too, and has the rows of the ledger', async () => {
    portfolio.own([a, b], [a]);
    const { snapshot, ledger, store } = await portfolio.start('one', { perMinute: 0, maxAgeMs: 0 });
    await ledger.import([b]);
    await ledger.save(b, rowOf(b), portfolio.now());

    const { index } = await snapshot.read({});

    expect(index.names()).toEqual([a, b]);
    expect(await listedOf(store, account)).toEqual({ [a]: true, [b]: false });
  });

  test('a written domain that the list leaves out is read before the list is returned', async () => {
    portfolio.own([a, b], [a]);
    const { snapshot, ledger, store } = await portfolio.start('one', { perMinute: 0 });
    await ledger.import([b]);
    await ledger.save(b, rowOf(b, 'before'), portfolio.now());
    portfolio.setStatus(b, 'after');
    await portfolio.pass(secondMs);
    // By another replica.
    await store.recordWrite(account, b, portfolio.now());
    await portfolio.pass(secondMs);

    const read = await snapshot.read({});

    expect(statusOf(read, b)).toBe('after');
    expect(portfolio.takeReads()).toEqual([b]);
    expect(await unlistedOf(store, account)).toMatchObject([{ name: b, changedAt: null }]);
  });

  test('a written domain that the upstream does not have is not read for every list', async () => {
    portfolio.own([a], [a]);
    const { snapshot, ledger, store } = await portfolio.start('one', { perMinute: 0 });
    await ledger.import([b]);
    await ledger.save(b, rowOf(b), portfolio.now());
    await portfolio.pass(secondMs);
    await store.recordWrite(account, b, portfolio.now());
    await store.saveMissing(account, b, { at: portfolio.now(), dueAt: portfolio.now() });

    expect(statusOf(await snapshot.read({}), b)).toBe('Active');

    expect(portfolio.takeReads()).toEqual([]);
  });

  test('of many written domains five are read, and a read that fails costs its own row only', async () => {
    const names = numbered(9);
    portfolio.own(names, [a]);
    const { snapshot, ledger, store } = await portfolio.start('one', { perMinute: 0 });
    await ledger.import(names.slice(1));
    for (const name of names.slice(1)) {
      await ledger.save(name, rowOf(name, 'before'), portfolio.now());
      await store.recordWrite(account, name, portfolio.now());
      portfolio.setStatus(name, 'after');
    }
    portfolio.fail(b);
    await portfolio.pass(secondMs);

    const read = await snapshot.read({});

    expect(portfolio.takeReads()).toHaveLength(5);
    expect(statusOf(read, b)).toBe('before');
    expect(names.filter((name) => statusOf(read, name) === 'after')).toHaveLength(4);
  });

  test('is returned while the journal cannot be used', async () => {
    portfolio.own([a, b], [a]);
    const { snapshot, journal } = await portfolio.start();
    await journal.close();

    const read = await withinTurns(snapshot.read({}));
    snapshot.invalidate(a);
    portfolio.setStatus(a, 'written');
    const written = await withinTurns(snapshot.read({}));
    await snapshot.mergeLedger();
    await portfolio.pass(2 * listMaxAgeMs);

    expect(read).toMatchObject({ complete: false, knownCount: 1, upstreamCount: 2 });
    expect(statusOf(written, a)).toBe('written');
    expect(portfolio.errors()).toEqual([]);
  });
});
