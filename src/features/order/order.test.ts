import { describe, expect, test } from 'vitest';
import { Fault } from '../../kernel/faults.ts';
import { money } from '../../kernel/money.ts';
import { toStoredJson } from '../../kernel/stored-json.ts';
import type { JobCount } from '../../persistence/job-items.ts';
import type { JobItem } from '../../persistence/job-record.ts';
import type { PurchaseRecord, PurchaseState } from '../../persistence/purchase-record.ts';
import {
  groupsOfLines,
  type OrderLineState,
  orderView,
  quotedTotals,
  spentTotals,
  stopReasonOf,
  toLine,
} from './order.ts';
import { refusedLine } from './place-order.ts';

const count = (changes: Partial<JobCount>): JobCount => ({
  ...{ jobId: 'one', state: 'DONE', outcome: 'SENT', purchase: null, amount: 1 },
  ...{ first: 0, endedAt: null },
  ...changes,
});
const none: Record<OrderLineState, number> = {
  ...{
    WAITING: 0,
    SENDING: 0,
    PENDING: 0,
    IN_PROGRESS: 0,
    SUCCEEDED: 0,
    FAILED: 0,
    UNKNOWN: 0,
    CANCELLED: 0,
  },
};

describe('the state of a line', () => {
  test.each<[Partial<JobCount>, OrderLineState]>([
    [{ state: 'WAITING', outcome: null }, 'WAITING'],
    [{ state: 'HELD', outcome: null }, 'WAITING'],
    [{ state: 'BEGUN', outcome: null }, 'SENDING'],
    [{ state: 'BEGUN', outcome: null, purchase: 'CLAIMED' }, 'SENDING'],
    [{ state: 'BEGUN', outcome: null, purchase: 'SENDING' }, 'SENDING'],
    [{ state: 'BEGUN', outcome: null, purchase: 'PENDING' }, 'PENDING'],
    // Another purchase of the line follows.
    [{ state: 'BEGUN', outcome: null, purchase: 'FAILED' }, 'SENDING'],
    [{ state: 'BEGUN', outcome: null, purchase: 'SUCCEEDED' }, 'SUCCEEDED'],
    [{ purchase: 'SUCCEEDED' }, 'SUCCEEDED'],
    [{ purchase: 'FAILED' }, 'FAILED'],
    [{ purchase: 'UNKNOWN' }, 'UNKNOWN'],
    [{ purchase: 'IN_PROGRESS' }, 'IN_PROGRESS'],
    [{ outcome: 'REFUSED' }, 'FAILED'],
    [{ outcome: 'CANCELLED' }, 'CANCELLED'],
    [{ outcome: 'STOPPED' }, 'CANCELLED'],
    [{ outcome: 'SENT' }, 'UNKNOWN'],
    [{ outcome: 'of a later version' }, 'UNKNOWN'],
  ])('of %o is %s', (changes, state) => {
    expect(orderView.progressOf([count({ ...changes, amount: 3 })])).toEqual({
      ...none,
      [state]: 3,
    });
  });

  test('is counted over all groups', () => {
    const groups = [count({ purchase: 'SUCCEEDED', amount: 2 }), count({ purchase: 'SUCCEEDED' })];

    expect(orderView.progressOf(groups)).toEqual({ ...none, SUCCEEDED: 3 });
  });
});

test.each([
  ['RUNNING', { WAITING: 1, SUCCEEDED: 1 }],
  ['RUNNING', { PENDING: 1, CANCELLED: 1 }],
  ['RUNNING', { IN_PROGRESS: 1, FAILED: 1 }],
  ['SUCCEEDED', { SUCCEEDED: 2 }],
  ['STOPPED', { SUCCEEDED: 1, CANCELLED: 1 }],
  ['STOPPED', { CANCELLED: 2 }],
  ['PARTIAL', { SUCCEEDED: 1, FAILED: 1 }],
  ['PARTIAL', { UNKNOWN: 1, FAILED: 1 }],
  ['PARTIAL', { UNKNOWN: 1 }],
  ['FAILED', { FAILED: 2 }],
] as const)('an order is %s with lines that are %o', (state, lines) => {
  expect(orderView.jobState({ ...none, ...lines })).toBe(state);
});

const usd = (amount: string) => money(amount, 'USD');
const quoteOf = (lowest: string, highest: string) => ({
  ...{ period: 1, certainty: 'LISTED', renewal: null },
  ...{ lowest: usd(lowest), highest: usd(highest) },
  cost: { lowest: usd(lowest), highest: usd(lowest), renewalPrice: null },
});
const itemAt = (position: number, changes: Partial<JobItem> = {}, isPayable = true): JobItem => ({
  ...{ jobId: 'one', position, domain: `line-${position}.com`, fingerprint: 'f', input: null },
  facts: toStoredJson({ kind: 'REGISTRATION', period: 1, quote: quoteOf('1', '2'), isPayable }),
  ...{ state: 'DONE', result: { outcome: 'SENT', details: '{}' }, fence: 1 },
  doneAt: new Date('2026-01-31T12:00:00Z'),
  ...changes,
});
const purchaseIn = (state: PurchaseState, at: string | null = null) =>
  ({
    ...{ id: 'bought', kind: 'REGISTRATION', state, fault: null, orderLine: 3 },
    settledAt: at === null ? null : new Date(at),
  }) as PurchaseRecord;
const now = new Date('2026-02-01T12:00:00Z');
const refused = (...faults: readonly Fault[]) => ({ result: refusedLine(faults) });

describe('a line', () => {
  test('has the fault of its purchase, with its path in the order', () => {
    const failed = { ...purchaseIn('FAILED', '2026-02-01T00:00:00Z') };
    const fault = {
      code: 'NOT_AVAILABLE',
      message: 'Taken.',
      executed: 'NO',
      upstream: null,
    } as const;

    const line = toLine(itemAt(3), { ...failed, fault }, now);

    expect(line).toMatchObject({ position: 3, state: 'FAILED' });
    expect(line.errors[0]).toMatchObject({
      code: 'NOT_AVAILABLE',
      inputPath: ['input', 'lines', '3', 'registration', 'domain'],
    });
  });

  test('has the faults that refused it, with money and times as they were', () => {
    const since = new Date('2026-01-01T00:00:00Z');
    const faults = [
      new Fault('INSUFFICIENT_FUNDS', { facts: { required: usd('5.1') }, path: ['input'] }),
      new Fault('PURCHASES_STOPPED', { facts: { since, reason: 'Ask Ada.' } }),
      new Fault('UPSTREAM_REJECTED', { upstream: { code: 'API_1', message: 'No.' } }),
    ];

    const line = toLine(itemAt(0, refused(...faults)), null, now);

    expect(line).toMatchObject({ state: 'FAILED', purchase: null, errors: faults });
    expect(line.errors.map(({ facts, upstream }) => [facts, upstream])).toEqual(
      faults.map(({ facts, upstream }) => [facts, upstream]),
    );
  });

  test('that was refused after a purchase that was never carried out has the refusal', () => {
    const fault = new Fault('SPEND_LIMIT_EXCEEDED');

    const { errors, state } = toLine(itemAt(0, refused(fault)), purchaseIn('FAILED'), now);

    expect([state, errors.map(({ code }) => code)]).toEqual(['FAILED', ['SPEND_LIMIT_EXCEEDED']]);
  });

  test.each([
    ['that waits', 'WAITING', null, 'WAITING'],
    ['that is being checked', 'BEGUN', null, 'SENDING'],
    ['in flight', 'BEGUN', purchaseIn('SENDING'), 'SENDING'],
    ['that is bought again', 'BEGUN', purchaseIn('FAILED'), 'SENDING'],
  ] as const)('%s has no errors', (_which, itemState, purchase, state) => {
    const item = itemAt(0, { state: itemState, result: null, doneAt: null });

    expect(toLine(item, purchase, now)).toMatchObject({ state, errors: [] });
  });
});

describe('an order', () => {
  const succeeded = count({ purchase: 'SUCCEEDED', endedAt: new Date('2026-02-02T00:00:00Z') });
  const failed = count({ outcome: 'REFUSED', first: 2, endedAt: new Date('2026-02-01T00:00:00Z') });
  const waiting = (amount: number) => count({ state: 'WAITING', outcome: null, amount });
  const cancelled = (outcome: string, amount: number) => count({ outcome, first: 4, amount });

  test('has finished when its last line has', () => {
    expect(orderView.finishedAtOf([succeeded, failed])).toEqual(new Date('2026-02-02T00:00:00Z'));
    expect(orderView.finishedAtOf([succeeded, waiting(1)])).toBeNull();
  });

  test('has the sums of the lines that could be bought, and of those that were', () => {
    const factsWith = (changes: Partial<JobCount>, isPayable = true) => ({
      ...count(changes),
      facts: itemAt(0, {}, isPayable).facts,
    });
    const facts = [
      factsWith({ purchase: 'SUCCEEDED', amount: 2 }),
      factsWith({ purchase: 'IN_PROGRESS' }),
      factsWith({ outcome: 'REFUSED' }),
      factsWith({ outcome: 'REFUSED' }, false),
    ];

    expect(quotedTotals(facts)).toEqual({
      prices: [{ lowest: usd('4'), highest: usd('8') }],
      costs: [{ lowest: usd('4'), highest: usd('4') }],
    });
    expect(spentTotals(facts)).toEqual({
      prices: [{ lowest: usd('3'), highest: usd('6') }],
      costs: [{ lowest: usd('3'), highest: usd('3') }],
    });
  });

  const isAllowed = {
    ofTerms: async () => null,
    domainAt: async (position: number) => `line-${position}.com`,
    stop: async () => null,
  };

  test('says why lines were not sent', async () => {
    const again = '"retryOrder" places them in a new order.';
    const later = { ...failed, first: 3 };
    const byCaller = [cancelled('CANCELLED', 1), failed];
    const byFailure = [succeeded, later, failed, cancelled('STOPPED', 2)];

    expect(await stopReasonOf(byCaller, isAllowed)).toBe(
      `1 line was not sent, because the order was cancelled. ${again}`,
    );
    expect(await stopReasonOf(byFailure, isAllowed)).toBe(
      `2 lines were not sent, because line-2.com (line 2) failed and the order has onFailure STOP. ${again}`,
    );
    expect(await stopReasonOf([succeeded, count({ outcome: 'STOPPED' })], isAllowed)).toBe(
      `1 line was not sent, because a line was UNKNOWN and the order has onFailure STOP. ${again}`,
    );
    expect(await stopReasonOf([succeeded], isAllowed)).toBeNull();
  });

  test('says that purchases are stopped only while lines wait', async () => {
    const stop = async () => ({ since: new Date(), reason: 'Ask Ada.' });
    const begun = count({ state: 'BEGUN', outcome: null, amount: 2 });

    expect(await stopReasonOf([waiting(2)], { ...isAllowed, stop })).toMatch(
      /^2 lines were not sent, because the operator stopped all purchases: "Ask Ada."\./,
    );
    expect(await stopReasonOf([begun], { ...isAllowed, stop })).toBeNull();
    expect(await stopReasonOf([waiting(2)], isAllowed)).toBeNull();
  });
});

test.each<JobItem['state']>(['HELD', 'WAITING', 'BEGUN', 'DONE'])(
  'the lines of all states together have those whose item is %s',
  (state) => {
    const all = Object.keys(none) as OrderLineState[];

    expect(groupsOfLines(all)).toContainEqual({ state, outcome: null, purchase: null });
  },
);

test('the groups of lines in some states are those of the items with these states', () => {
  const groups = groupsOfLines(['SENDING', 'CANCELLED']);

  expect(groups).toContainEqual({ state: 'BEGUN', outcome: null, purchase: 'FAILED' });
  expect(groups).toContainEqual({ state: 'DONE', outcome: 'STOPPED', purchase: null });
  expect(groups).not.toContainEqual({ state: 'DONE', outcome: 'SENT', purchase: 'FAILED' });
  expect(groupsOfLines([])).toEqual([]);
});
