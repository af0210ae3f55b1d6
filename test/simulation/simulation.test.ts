import { expect, test } from 'vitest';
import { lazy } from '../../src/lib/lazy.ts';
import { runs } from '../support/long.ts';
import { runSeeds } from './seeds.ts';

const threads = runs(1, 2);

/** The commands that print the failed runs. */
const commands = (
  failed: readonly { readonly seed: number; readonly violations: readonly string[] }[],
) => failed.map(({ seed, violations }) => `npm run simulate -- --seed=${seed}: ${violations[0]}`);

const firstSeed = 121;
const schedules = runs(12, 6_000);
const whole = lazy(() => runSeeds({ from: firstSeed, count: schedules, threads }));

/** Each occurs more than once in so many schedules. */
const kinds: Readonly<Record<number, readonly string[]>> = {
  12: ['crash', 'pause', 'clock set', 'ended SUCCEEDED', 'ended FAILED', 'replayed', 'read stale'],
  40: ['orders placed', 'orders replayed', 'orders cancelled', 'lines sent'],
  100: ['event DOMAIN_ADDED', 'event NAME_SERVERS_CHANGED', 'events received'],
  200: [
    ...['line ended STOPPED', 'line ended CANCELLED', 'lines sent again'],
    ...['jobs started', 'jobs cancelled', 'changes sent', 'changes sent again'],
    ...['write refused', 'write reset', 'write lostAnswer', 'write late', 'write cut'],
    ...['write htmlBefore', 'write twice'],
  ],
  1000: ['event PURCHASE_SETTLED', 'source GATEWAY', 'viewed true', 'ended UNKNOWN'],
};

test(`no promise is broken in ${schedules} schedules, and every kind of fault occurs`, {
  tags: ['R8', 'I1', 'I5', 'I7', 'E1', 'E4', 'E5', 'E6', 'E8', 'E10'],
  timeout: runs(240_000, 1_500_000),
}, async () => {
  const { seeds, failed, counts } = await whole();

  expect(commands(failed)).toEqual([]);
  expect(seeds).toBe(schedules);
  for (const [per, names] of Object.entries(kinds)) {
    // The short form has too few schedules for a rare kind.
    if (schedules < Number(per)) continue;
    for (const what of names) {
      expect(counts[what] ?? 0, what).toBeGreaterThan(schedules / Number(per));
    }
  }
});

const portfolios = runs(6, 200);

test(`no promise is broken in ${portfolios} short schedules with known domains and events`, {
  timeout: runs(120_000, 600_000),
}, async () => {
  const { seeds, failed, counts } = await runSeeds({
    ...{ from: -portfolios, count: portfolios, threads },
  });

  expect(commands(failed)).toEqual([]);
  expect(seeds).toBe(portfolios);
  for (const what of ['crash', 'event DOMAIN_ADDED', 'events received', 'background reads']) {
    expect(counts[what] ?? 0, what).toBeGreaterThan(portfolios);
  }
});

const withApprovals = runs(8, 1_000);
const approvalsFrom = 1_000_000;

test(`nothing is sent without an approval in ${withApprovals} schedules`, {
  tags: ['A1', 'A2', 'A3'],
  timeout: runs(120_000, 1_500_000),
}, async () => {
  const options = { from: approvalsFrom, count: withApprovals, threads };
  const { seeds, failed, counts } = await runSeeds(options);

  expect(commands(failed)).toEqual([]);
  expect(seeds).toBe(withApprovals);
  for (const what of ['decided GRANTED', 'decision error FORBIDDEN', 'reported HELD']) {
    expect(counts[what] ?? 0, what).toBeGreaterThan(withApprovals / 8);
  }
  // The short form has too few schedules for a cancellation.
  expect(counts['purchases cancelled'] ?? 0).toBeGreaterThan(runs(-1, 20));
});

const withPayments = runs(8, 1_000);
const paymentsFrom = 2_000_000;

test(`money taken less money returned is the price of owned domains in ${withPayments} schedules`, {
  timeout: runs(120_000, 1_500_000),
}, async () => {
  const options = { from: paymentsFrom, count: withPayments, threads };
  const { seeds, failed, counts } = await runSeeds(options);

  expect(commands(failed)).toEqual([]);
  expect(seeds).toBe(withPayments);
  for (const what of ['orders paid', 'paid lines sent', 'payment error PAYMENT_NOT_ACCEPTED']) {
    expect(counts[what] ?? 0, what).toBeGreaterThan(withPayments / 8);
  }
});

const shares = runs(1, 4);
const perShare = runs(2, 25);
/** Other seeds than these run before the shares in the thread of all seeds. */
const seedsBefore = 2;

test('a seed has one trace, in any thread and beside any other seeds', {
  timeout: runs(120_000, 600_000),
}, async () => {
  const { hashes } = await whole();
  const apart = await Promise.all(
    Array.from({ length: shares }, (_, at) =>
      runSeeds({
        from: firstSeed + seedsBefore + at * perShare,
        count: perShare,
        threads: 1,
      }),
    ),
  );

  expect(apart.flatMap((share) => share.hashes)).toEqual(
    hashes.slice(seedsBefore, seedsBefore + shares * perShare),
  );
  expect(new Set(hashes).size).toBe(schedules);
});
