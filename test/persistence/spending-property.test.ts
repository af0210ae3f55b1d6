import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Money, money } from '../../src/kernel/money.ts';
import { Secret } from '../../src/kernel/secret.ts';
import { countedMs, type ScopedLimits } from '../../src/kernel/spend-limits.ts';
import type { Journal } from '../../src/persistence/journal.ts';
import { openPostgresJournal } from '../../src/persistence/postgres.ts';
import type { SpendingOf } from '../../src/persistence/spending.ts';
import { openSqliteJournal } from '../../src/persistence/sqlite.ts';
import { timeText } from '../../src/persistence/tables.ts';
import { newFolder } from '../support/folder.ts';
import { runs } from '../support/long.ts';
import { createDatabase, whyNoPostgres } from '../support/postgres.ts';
import { because } from '../support/skipped.ts';
import { claimNumber, minute, unlimited } from './claims.ts';

/** A requested purchase, with its price in ten-thousandths. */
interface Wish {
  readonly minutes: number;
  readonly caller: 'shop' | 'office';
  readonly currency: 'USD' | 'TRY';
  readonly units: number;
  readonly fails: boolean;
}

const wishes = fc.array(
  fc.record<Wish>({
    minutes: fc.integer({ min: 0, max: 3 * 24 * 60 }),
    caller: fc.constantFrom('shop', 'office'),
    currency: fc.constantFrom('USD', 'TRY'),
    units: fc.integer({ min: 0, max: 40_000 }),
    fails: fc.boolean(),
  }),
  { minLength: 5, maxLength: 30 },
);

/** The same numbers for the model and for the journal. */
const bounds = fc.record({
  day: fc.integer({ min: 0, max: 100_000 }),
  hour: fc.integer({ min: 0, max: 6 }),
  keyDay: fc.integer({ min: 0, max: 80_000 }),
  keyHour: fc.integer({ min: 0, max: 4 }),
});
type Bounds = typeof bounds extends fc.Arbitrary<infer B> ? B : never;

const text = (units: number) =>
  `${Math.floor(units / 10_000)}.${String(units % 10_000).padStart(4, '0')}`;
const inBoth = (units: number) => [money(text(units), 'USD'), money(text(units), 'TRY')];
const limitsOf = ({ day, hour, keyDay, keyHour }: Bounds): ScopedLimits => ({
  GATEWAY: { perDay: inBoth(day), perHour: hour },
  KEY: { perDay: inBoth(keyDay), perHour: keyHour },
});

/** Whether the purchases of one window are within the bounds, computed in the simplest way. */
function keepTo({ day, hour, keyDay, keyHour }: Bounds, bought: readonly Wish[], isHour: boolean) {
  const total = (some: readonly Wish[], currency: string) =>
    some.reduce((sum, wish) => sum + (wish.currency === currency ? wish.units : 0), 0);
  const isWithin = (some: readonly Wish[], most: number, count: number) =>
    isHour ? some.length <= count : total(some, 'USD') <= most && total(some, 'TRY') <= most;
  return (
    isWithin(bought, day, hour) &&
    ['shop', 'office'].every((caller) =>
      isWithin(
        bought.filter((wish) => wish.caller === caller),
        keyDay,
        keyHour,
      ),
    )
  );
}

const inWindow = (from: number, length: number, bought: readonly Wish[]) =>
  bought.filter(({ minutes }) => minutes > from - length && minutes <= from);

const keepsEverywhere = (limits: Bounds, bought: readonly Wish[]) =>
  bought.every(
    ({ minutes }) =>
      keepTo(limits, inWindow(minutes, 24 * 60, bought), false) &&
      keepTo(limits, inWindow(minutes, 60, bought), true),
  );

/** The price of the claim, for every third purchase with more digits than the journal counts. */
const priceOf = ({ units, currency }: Wish, at: number) =>
  money(at % 3 === 0 && units > 0 ? `${text(units - 1)}00001` : text(units), currency);

let accounts = 0;

/** Claims the purchases with one worker per journal, and returns those that did not fail. */
async function buy(journals: readonly Journal[], limits: Bounds, all: readonly Wish[]) {
  accounts += 1;
  const account = `run-${accounts}`;
  const bought: Wish[] = [];
  const queue = all.map((wish, at) => ({ wish, at }));
  const buyer = async (journal: Journal) => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const { wish, at } = next;
      const { minutes, caller } = wish;
      const id = `${account}-${at}`;
      const price = priceOf(wish, at);
      const claim = claimNumber(at, {
        id,
        account,
        caller,
        cost: price,
        claimedAt: minute(minutes),
      });
      const { outcome } = await journal.claim(claim, limitsOf(limits));
      expect(['claimed', 'over-limit']).toContain(outcome);
      const isFit = keepsLast(limits, bought, wish);
      if (journals.length === 1) expect([at, outcome === 'claimed']).toEqual([at, isFit]);
      if (outcome !== 'claimed') continue;
      await journal.move(id, ['CLAIMED'], { to: 'SENDING', at: minute(minutes) });
      const to = wish.fails ? 'FAILED' : 'UNKNOWN';
      await journal.move(id, ['SENDING'], { to, at: minute(minutes) });
      if (!wish.fails) bought.push(wish);
    }
  };
  await Promise.all(journals.map(buyer));
  return bought;
}

/** Whether the limits allow one more purchase after the older ones. */
const keepsLast = (limits: Bounds, bought: readonly Wish[], wish: Wish) => {
  const all = [...bought, wish];
  const day = inWindow(wish.minutes, 24 * 60, all);
  const hour = inWindow(wish.minutes, 60, all);
  // The limit per day compares only the currency of the price.
  const sameMoney = day.filter(({ currency }) => currency === wish.currency);
  const ofCaller = ({ caller }: Wish) => caller === wish.caller;
  const sum = (some: readonly Wish[]) => some.reduce((total, { units }) => total + units, 0);
  return (
    sum(sameMoney) <= limits.day &&
    sum(sameMoney.filter(ofCaller)) <= limits.keyDay &&
    hour.length <= limits.hour &&
    hour.filter(ofCaller).length <= limits.keyHour
  );
};

/** A purchase near a border of a window or of a minute, and what happens to it. */
interface Counted {
  readonly at: number;
  readonly caller: string | null;
  readonly price: Money | null;
  readonly end: 'HELD' | 'CANCELLED' | 'RELEASED' | 'SENDING' | 'FAILED' | 'FOUND' | 'LATER';
}

const baseMs = minute(0).getTime();
const times = fc
  .tuple(
    fc.constantFrom(0, 1, 24, 25),
    fc.integer({ min: 0, max: 4 }),
    fc.constantFrom(0, 1, 59_999, 30_000),
  )
  .map(([hours, minutes, ms]) => baseMs + (60 * hours + minutes) * 60_000 + ms);
const callers = fc.constantFrom('shop', 'office', '', null);
const prices = fc
  .tuple(fc.integer({ min: 0, max: 9 }), fc.constantFrom('USD', 'TRY', null))
  .map(([amount, currency]) => (currency === null ? null : money(String(amount), currency)));
const countedOnes = fc.array(
  fc.record<Counted>({
    at: times,
    caller: callers,
    price: prices,
    end: fc.constantFrom('HELD', 'CANCELLED', 'RELEASED', 'SENDING', 'FAILED', 'FOUND', 'LATER'),
  }),
  { minLength: 1, maxLength: 12 },
);

/** Stores the purchases and what happens to them. Returns their account. */
async function store(journal: Journal, all: readonly Counted[]): Promise<string> {
  accounts += 1;
  const account = `run-${accounts}`;
  for (const [index, { at, caller, price, end }] of all.entries()) {
    const id = `${account}-${index}`;
    const claimedAt = new Date(at);
    const claim = claimNumber(index, { id, account, caller, cost: price, claimedAt });
    const isHeld = ['HELD', 'CANCELLED', 'RELEASED'].includes(end);
    await (isHeld ? journal.hold(claim, unlimited) : journal.claim(claim, unlimited));
    const row = journal.database.updateTable('purchases').where('id', '=', id);
    if (end === 'CANCELLED') await journal.move(id, ['HELD'], { to: 'FAILED', at: claimedAt });
    // As `claimHeld`, which writes a new cost and a new time.
    if (end === 'RELEASED') {
      const cost = { cost_currency: 'USD', spend: 7 };
      await row.set({ state: 'CLAIMED', ...cost, claimed_at: timeText(later(at)) }).execute();
    }
    if (end === 'LATER') await row.set({ claimed_at: timeText(later(at)) }).execute();
    if (isHeld || end === 'LATER') continue;
    await journal.move(id, ['CLAIMED'], { to: 'SENDING', at: claimedAt });
    if (end === 'SENDING') continue;
    await journal.move(id, ['SENDING'], { to: 'FAILED', at: claimedAt });
    if (end === 'FOUND') await journal.move(id, ['FAILED'], { to: 'UNKNOWN', at: claimedAt });
  }
  return account;
}

const later = (at: number) => new Date(at + 30_000);

/** What `spending` returns, summed over all rows. */
async function summed(journal: Journal, of: SpendingOf) {
  const all = await journal.database.selectFrom('purchases').selectAll().execute();
  const spent = (ms: number, isOf: (row: (typeof all)[number]) => boolean) =>
    all.filter(
      (row) =>
        row.account === of.account &&
        !['FAILED', 'HELD'].includes(row.state) &&
        row.claimed_at > timeText(new Date(of.claimedAt.getTime() - ms)) &&
        isOf(row),
    );
  const inScope = (isOf: (row: (typeof all)[number]) => boolean) => ({
    units: spent(countedMs.PER_DAY, isOf)
      .filter((row) => of.cost && row.cost_currency === of.cost.currency)
      .reduce((total, { spend }) => total + BigInt(String(spend)), 0n),
    count: spent(countedMs.PER_HOUR, isOf).length,
  });
  return {
    GATEWAY: inScope(() => true),
    KEY: inScope(({ caller }) => caller !== null && caller === of.caller),
  };
}

function describeProperty(
  driver: string,
  open: () => Promise<Journal>,
  close: () => Promise<void>,
) {
  describe(`limits under any purchases, on ${driver}`, () => {
    const journals: Journal[] = [];
    beforeAll(async () => {
      for (let count = 0; count < 4; count += 1) journals.push(await open());
    });
    afterAll(async () => {
      for (const journal of journals) await journal.close();
      await close();
    });

    test('the sums of a limit are those of its purchases, in any state and at any time', async () => {
      const [journal] = journals as [Journal];
      const property = fc.asyncProperty(
        countedOnes,
        fc.array(fc.tuple(times, callers, prices), { minLength: 5, maxLength: 5 }),
        async (all, asked) => {
          const account = await store(journal, all);
          for (const [at, caller, cost] of asked) {
            const of = { account, caller, cost, claimedAt: new Date(at) };
            expect((await journal.spending(of)).spent).toEqual(await summed(journal, of));
          }
        },
      );

      await fc.assert(property, { numRuns: runs(10, 200) });
    });

    test('a purchase in sequence is refused exactly when it exceeds a limit', async () => {
      const inOrder = wishes.map((all) => all.toSorted((a, b) => a.minutes - b.minutes));
      const property = fc.asyncProperty(bounds, inOrder, async (limits, all) => {
        const bought = await buy(journals.slice(0, 1), limits, all);
        expect(keepsEverywhere(limits, bought)).toBe(true);
      });

      await fc.assert(property, { numRuns: runs(5, 40) });
    });

    test('concurrent purchases over four journals never exceed a limit in any window', async () => {
      const property = fc.asyncProperty(bounds, wishes, async (limits, all) => {
        const bought = await buy(journals, limits, all);
        expect(keepsEverywhere(limits, bought)).toBe(true);
      });

      await fc.assert(property, { numRuns: runs(5, 40) });
    });

    test('concurrent purchases over four journals at one minute use each limit completely', async () => {
      const count = fc.integer({ min: 0, max: 12 });
      const property = fc.asyncProperty(count, fc.constantFrom(1, 3), async (most, units) => {
        const wish: Wish = { minutes: 0, caller: 'shop', currency: 'USD', units, fails: false };
        const none = { day: 1e6, hour: 1e6, keyDay: 1e6, keyHour: 1e6 };
        const sixteen = Array<Wish>(16).fill(wish);

        const byCount = await buy(journals, { ...none, hour: most }, sixteen);
        const bySum = await buy(journals, { ...none, keyDay: most * units }, sixteen);

        expect([byCount.length, bySum.length]).toEqual([most, most]);
      });

      await fc.assert(property, { numRuns: runs(2, 12) });
    });
  });
}

const folder = await newFolder('spending');
describeProperty(
  'SQLite',
  () => openSqliteJournal({ file: join(folder, 'journal.db') }),
  () => rm(folder, { recursive: true }),
);

if (whyNoPostgres) {
  test.skip(`limits under any purchases, on PostgreSQL${because(whyNoPostgres)}`, () => undefined);
} else {
  const { url, remove } = await createDatabase();
  describeProperty('PostgreSQL', () => openPostgresJournal({ url: new Secret(url) }), remove);
}
