import { payments } from '../../src/features/payment/parts.ts';
import { Decimal } from '../../src/kernel/money.ts';
import { request } from './order-buyers.ts';
import type { Cashier } from './payment-weather.ts';
import type { Process, RunContext } from './process.ts';

/** Longer than anything waits for a payment or a refund. */
const maxMs = 80 * 60_000;

/** An amount that a cashier reports until it has an answer, and sometimes again. */
export interface Report {
  readonly kind: 'PAYMENT' | 'REFUND';
  readonly order: string;
  readonly reference: string;
  /** Ten-thousandths. */
  readonly amount: bigint;
  readonly currency: string;
}

/** Reports payments and refunds of all orders, again and again. */
export async function reportAmounts(
  cashier: Cashier,
  around: RunContext,
  choose: () => Process | undefined,
): Promise<void> {
  const { world, history } = around;
  const reports: Report[] = [];
  await world.pass(cashier.startsAfterMs);
  while (world.nowMs() < maxMs) {
    const report = nextReport(cashier, around, reports);
    // Two replicas can receive one report at once.
    const copies = report === null ? 0 : world.random.chance(0.2) ? 2 : 1;
    await Promise.all(
      Array.from({ length: copies }, async () => {
        const process = choose();
        if (process && report) await send(report, around, process);
      }),
    );
    if (report && !reports.includes(report)) reports.push(report);
    history.payments?.check();
    await world.pass(world.random.between(0.5, 1.5) * cashier.everyMs);
  }
}

function nextReport(
  { wrong, refunds }: Cashier,
  { world, history }: RunContext,
  reports: readonly Report[],
): Report | null {
  const { random } = world;
  const known = history.payments?.known() ?? [];
  const isSettled = known.every(({ isDue, refund }) => !isDue && refund === 0n);
  if (known.length === 0 || (isSettled && random.chance(0.9))) return null;
  if (reports.length > 0 && random.chance(0.3)) {
    const again = random.pick(reports);
    return random.chance(0.9) ? again : { ...again, amount: again.amount + 100n };
  }
  const { id, due, refund } = random.pick(known);
  const reference = `reference-${random.between(0, 1e9).toFixed(0)}`;
  const report = { order: id, reference, currency: 'USD' };
  if (random.chance(refunds)) {
    const amount = refund > 0n && random.chance(0.8) ? refund : due;
    return { ...report, kind: 'REFUND', amount };
  }
  if (!random.chance(wrong)) return { ...report, kind: 'PAYMENT', amount: due };
  const amount = random.pick([due - 100n, due + 100n, 100n]);
  return { ...report, kind: 'PAYMENT', amount, currency: random.pick(['USD', 'USD', 'EUR']) };
}

async function send(report: Report, around: RunContext, process: Process): Promise<void> {
  const { world, history } = around;
  const { kind, order, reference, amount, currency } = report;
  if (amount <= 0n) return;
  world.trace(`${process.owner.name} receives ${kind} ${amount} ${currency} of ${order}`);
  history.payments?.sending(report);
  const by = { signal: new AbortController().signal, caller: 'cashier' };
  const input = {
    order: { id: order },
    reference,
    amount: { amount: Decimal.ofTenThousandths(amount), currency },
  };
  const payload = await request({ around }, process, () => {
    const service = process.request(by).use(payments);
    return kind === 'PAYMENT' ? service.confirm(input) : service.refund(input);
  });
  if (payload) history.payments?.answered(report, payload.errors);
}
