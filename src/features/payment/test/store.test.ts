import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  account,
  claimNumber,
  minute,
  moveTo,
  unlimited,
} from '../../../../test/persistence/claims.ts';
import { describeStore } from '../../../../test/persistence/drivers.ts';
import { useStore } from '../../../../test/persistence/journal-store.ts';
import { jobNumber, newItems, resultOf, takeAt } from '../../../../test/persistence/new-jobs.ts';
import type { Journal } from '../../../persistence/journal.ts';
import { createPaymentStore, type PaymentStore, type StoredPayment } from '../store.ts';
import { paymentTables } from '../table.ts';

const currency = 'USD';
/** Ten-thousandths. */
const prices = [100_000n, 55_000n, 1_200_000_000n] as const;
const total = prices.reduce((sum, price) => sum + price, 0n);

const due = ({ state, paid, refunded, owed }: StoredPayment): bigint =>
  paid - refunded - (state === 'CONFIRMED' || state === 'PAID' ? owed : 0n);

describeStore('payments', (createStore, isPostgres) => {
  const { connect } = useStore(createStore);
  let journal: Journal;
  let payments: PaymentStore;
  let number = 0;
  /** The id of the order. */
  let order: string;

  async function begin({ expiresAt = minute(60) as Date | null, heldBy = 'payment' } = {}) {
    journal = await connect(paymentTables);
    payments = createPaymentStore(journal.database);
    await place({ expiresAt, heldBy });
  }
  async function place({ expiresAt = minute(60) as Date | null, heldBy = 'payment' } = {}) {
    number += 1;
    const job = jobNumber(number);
    order = job.id;
    await payments.create(
      account,
      {
        ...{ id: order, currency, state: 'DUE', caller: 'shop', customer: null },
        ...{ createdAt: minute(1), amountDue: total, owed: total, paid: 0n, refunded: 0n },
        ...{ expiresAfterMs: 3_600_000, expiresAt, reference: null, confirmedAt: null },
      },
      prices.map((price, position) => ({ position, price })),
    );
    await journal.jobs.create({ ...job, createdAt: minute(1) }, newItems(prices.length), heldBy);
  }
  const rows = () => payments.byIds(account, [order]);
  const own = async (): Promise<StoredPayment> =>
    (await rows()).find(({ state }) => state !== 'OTHER') as StoredPayment;
  const add = async (
    kind: 'PAYMENT' | 'REFUND',
    amount: bigint,
    { reference = `reference-${kind}-${++number}`, at = minute(2), of = currency } = {},
  ) => payments.add(account, { kind, reference, paymentId: order, currency: of, amount, at });
  const pay = () => add('PAYMENT', total);
  const take = async () =>
    (await journal.jobs.take(account, takeAt(5))).filter(({ jobId }) => jobId === order);
  const states = async () => (await journal.jobs.items([order])).map(({ state }) => state);
  /** A purchase of the line in this state, and the end of the line. */
  async function buy(line: number, state: Parameters<typeof moveTo>[2]) {
    number += 1;
    const claim = claimNumber(number, { orderId: order, orderLine: line });
    await journal.claim(claim, unlimited);
    await moveTo(journal, claim.id, state);
    return claim.id;
  }

  test('an amount that fits pays the order once, and releases its lines', async () => {
    await begin();
    expect(await states()).toEqual(['HELD', 'HELD', 'HELD']);
    expect(await pay()).toMatchObject({ isAccepted: true });
    expect(await own()).toMatchObject({
      state: 'CONFIRMED',
      paid: total,
      reference: expect.any(String),
    });
    await payments.release(account, order);
    expect([(await own()).state, await states()]).toEqual([
      'PAID',
      ['WAITING', 'WAITING', 'WAITING'],
    ]);

    expect(await pay()).toMatchObject({ isAccepted: false });
    expect(due(await own())).toBe(total);
  });

  test.each<[string, () => Promise<unknown>, () => Promise<unknown>]>([
    ['too little', async () => undefined, () => add('PAYMENT', total - 1n)],
    ['too much', async () => undefined, () => add('PAYMENT', total + 1n)],
    ['too late', async () => undefined, () => add('PAYMENT', total, { at: minute(60) })],
    ['another currency', async () => undefined, () => add('PAYMENT', total, { of: 'EUR' })],
    [
      'cancelled lines',
      () => journal.jobs.endWaiting(account, order, minute(1), resultOf('CANCELLED')),
      pay,
    ],
    ['an expired order', () => payments.end(account, order, 'EXPIRING'), pay],
  ])('%s is recorded, pays nothing and is due back', async (_what, prepare, report) => {
    await begin();
    await prepare();
    expect(await report()).toMatchObject({ isAccepted: false });
    await payments.release(account, order);
    expect(await states()).not.toContain('WAITING');
    expect((await own()).state).not.toBe('PAID');
    const sum = (await rows()).reduce((all, row) => all + due(row), 0n);
    const [amount] = await payments.amounts(account, order, 9);
    expect(sum).toBe(amount?.amount);
    const listed = await payments.list(account, { limit: 9 });
    expect(listed.map(due)).toEqual([sum]);
  });

  test('a line that is held for a decision is held for the payment after it', async () => {
    await begin({ expiresAt: null, heldBy: 'approval' });
    expect(await pay()).toMatchObject({ isAccepted: false });
    const { database } = journal;
    await database
      .updateTable('job_items')
      .where('held_by', '=', 'approval')
      .set({ state: 'WAITING' })
      .execute();
    expect(await states()).toEqual(['HELD', 'HELD', 'HELD']);
    expect(await payments.waiting(account, minute(3))).toMatchObject([{ heldBy: 'payment' }]);
    expect(await pay()).toMatchObject({ isAccepted: false });
    await payments.begin(account, order, minute(90));
    expect(await pay()).toMatchObject({ isAccepted: true });
  });

  test('a refund is due once for a line that is proved not to be bought, and withdrawn with the proof', async () => {
    await begin();
    await pay();
    await payments.release(account, order);
    const items = await take();
    const failed = await buy(0, 'FAILED');
    expect(due(await own())).toBe(0n);
    for (const item of items)
      await journal.jobs.finish(
        item,
        minute(6),
        resultOf(item.position === 1 ? 'REFUSED' : 'SENT'),
      );
    // The third line has no purchase in the journal, so nothing is proved.
    expect(due(await own())).toBe(prices[0] + prices[1]);

    await journal.move(failed, ['FAILED'], { to: 'UNKNOWN', at: minute(56) });
    expect(due(await own())).toBe(prices[1]);
    const reference = 'refused before';
    // The refund of the first line may have been paid before it was withdrawn.
    expect(await add('REFUND', prices[0] + prices[1] + 1n, { reference })).toBeNull();
    expect(await payments.amounts(account, order, 9)).toHaveLength(1);
    expect(await add('REFUND', prices[1], { reference })).toMatchObject({ isAccepted: true });
    expect(due(await own())).toBe(0n);
    expect(await payments.list(account, { limit: 9 })).toEqual([]);
  });

  test.each(['before', 'after'])(
    'a refund that is recorded %s its line was bought after all is too much, once',
    async (when) => {
      await begin();
      await pay();
      await payments.release(account, order);
      const [item] = await take();
      const failed = await buy(0, 'FAILED');
      if (item) await journal.jobs.finish(item, minute(6), resultOf('SENT'));
      const refund = () => add('REFUND', prices[0]);
      if (when === 'before') expect(await refund()).toMatchObject({ isAccepted: true });
      await journal.move(failed, ['FAILED'], { to: 'UNKNOWN', at: minute(56) });
      if (when === 'after') {
        // Never more than was due.
        expect(await add('REFUND', prices[0] + 1n)).toBeNull();
        expect(await refund()).toMatchObject({ isAccepted: true });
      }
      expect(due(await own())).toBe(-prices[0]);
      expect(await refund()).toBeNull();

      // It is due no more when the line fails again.
      await journal.move(failed, ['UNKNOWN'], { to: 'FAILED', at: minute(57) });
      expect(due(await own())).toBe(0n);
      expect(await refund()).toBeNull();
    },
  );

  test('the same reference is one amount, and one more refund than is due is never recorded', async () => {
    await begin();
    const reference = 'the same';
    const reports = await Promise.all(
      Array.from({ length: 4 }, () => add('PAYMENT', total, { reference })),
    );
    expect(reports.every((one) => one?.isAccepted)).toBe(true);
    expect((await own()).paid).toBe(total);

    await add('PAYMENT', 70n);
    const refunds = await Promise.all(Array.from({ length: 4 }, () => add('REFUND', 30n)));
    expect(refunds.filter((one) => one?.isAccepted)).toHaveLength(2);
    expect(due(await own())).toBe(10n);
  });

  test('a payment and a cancellation at once buy nothing that is not paid', async () => {
    await begin();
    const [paid, cancelled] = await Promise.all([
      pay(),
      journal.jobs.endWaiting(account, order, minute(2), resultOf('CANCELLED')),
    ]);
    await payments.release(account, order);
    const all = await own();
    expect(cancelled).toBe(3);
    expect(await states()).toEqual(['DONE', 'DONE', 'DONE']);
    // Nothing is bought, so that all of it is due back in both orders.
    expect([paid?.isAccepted, due(all)]).toEqual([all.state === 'PAID', total]);
  });

  type Step =
    | { readonly is: 'pay' | 'refund'; readonly amount: bigint; readonly euro: boolean }
    | { readonly is: 'release' | 'cancel' | 'expire' | 'take' }
    | { readonly is: 'end'; readonly line: number; readonly outcome: string }
    | { readonly is: 'buy' | 'fail' | 'doubt'; readonly line: number };

  const line = fc.integer({ min: 0, max: prices.length - 1 });
  const step: fc.Arbitrary<Step> = fc.oneof(
    fc.record({
      is: fc.constantFrom('pay' as const, 'refund' as const),
      amount: fc.constantFrom(total, prices[0], prices[1], 10_000n),
      euro: fc.boolean(),
    }),
    fc.record({ is: fc.constantFrom('release', 'cancel', 'expire', 'take') }) as fc.Arbitrary<Step>,
    fc.record({
      is: fc.constant('end' as const),
      line,
      outcome: fc.constantFrom('SENT', 'SENT', 'REFUSED'),
    }),
    fc.record({ is: fc.constantFrom('buy' as const, 'fail' as const, 'doubt' as const), line }),
  );

  test('after any sequence of steps, each paid amount is refunded, due, or the price of lines that are bought or not decided', async () => {
    await begin();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
        await place();
        const bought = new Map<number, string>();
        const taken = new Map<number, Awaited<ReturnType<typeof take>>[number]>();
        for (const one of steps) {
          if (one.is === 'pay' || one.is === 'refund') {
            await add(one.is === 'pay' ? 'PAYMENT' : 'REFUND', one.amount, {
              of: one.euro ? 'EUR' : currency,
            });
          } else if (one.is === 'release') await payments.release(account, order);
          else if (one.is === 'cancel') {
            await journal.jobs.endWaiting(account, order, minute(4), resultOf('CANCELLED'));
          } else if (one.is === 'expire') await payments.end(account, order, 'EXPIRING');
          else if (one.is === 'take') {
            for (const item of await take()) taken.set(item.position, item);
          } else if (one.is === 'end') {
            const item = taken.get(one.line);
            if (item) await journal.jobs.finish(item, minute(6), resultOf(one.outcome));
          } else if (one.is === 'buy' && taken.has(one.line) && !bought.has(one.line)) {
            bought.set(one.line, await buy(one.line, 'SENDING'));
          } else if (one.is === 'fail' || one.is === 'doubt') {
            const id = bought.get(one.line);
            const [from, to] =
              one.is === 'fail'
                ? (['SENDING', 'FAILED'] as const)
                : (['FAILED', 'UNKNOWN'] as const);
            if (id) await journal.move(id, [from], { to, at: minute(55) });
          }
          await checkSums();
        }
      }),
      { numRuns: isPostgres ? 12 : 60 },
    );
  });

  /** The sums of the triggers are those of the amounts, the lines and the purchases. */
  async function checkSums(): Promise<void> {
    const amounts = await payments.amounts(account, order, 100);
    const items = await journal.jobs.items([order]);
    const purchases = await journal.byLines(account, order, [0, 1, 2]);
    const isOver = (position: number): boolean => {
      const { state, result } = items[position] ?? {};
      const own = purchases.filter((one) => one.orderLine === position);
      const hasFailed = own.every((one) => one.state === 'FAILED');
      return state === 'DONE' && hasFailed && (result?.outcome !== 'SENT' || own.length > 0);
    };
    const owed = prices.reduce((sum, price, at) => (isOver(at) ? sum : sum + price), 0n);
    for (const row of await rows()) {
      const sumOf = (kind: string) =>
        amounts
          .filter((one) => one.kind === kind && one.currency === row.currency)
          .reduce((sum, { amount }) => sum + amount, 0n);
      expect([row.paid, row.refunded]).toEqual([sumOf('PAYMENT'), sumOf('REFUND')]);
      if (row.state !== 'OTHER') expect(row.owed).toBe(owed);
    }
    const { state } = await own();
    const isReleased = items.some((one) => one.state === 'WAITING' || one.state === 'BEGUN');
    if (isReleased) expect(['CONFIRMED', 'PAID']).toContain(state);
    const accepted = amounts.filter((one) => one.kind === 'PAYMENT' && one.isAccepted);
    expect(accepted.length).toBeLessThanOrEqual(1);
  }
});
