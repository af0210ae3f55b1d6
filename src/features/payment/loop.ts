import { orphanAfterMs } from '../../kernel/instant.ts';
import { WorkLoop, type WorkLoopOptions } from '../../kernel/work-loop.ts';
import { refusalOf } from '../../modules/job/held-job.ts';
import type { Holds } from '../../modules/job/holds.ts';
import type { Journal } from '../../persistence/journal.ts';
import type { PaymentStore, WaitingPayment } from './store.ts';

interface PaymentLoopOptions extends WorkLoopOptions {
  readonly payments: PaymentStore;
  readonly journal: Pick<Journal, 'jobs'>;
  readonly account: string;
  readonly holds: readonly Holds[];
  /** Starts the work on orders that are no longer held. */
  readonly startJobs: () => void;
  /** Default: one second. */
  readonly everyMs?: number;
}

/** Another replica may store the first order. */
const idleMs = 60_000;

/**
 * Ends orders that were not paid in time, releases those that are paid, and begins the time of those that another feature has
 * released. Each replica does it, and every step can be repeated.
 */
export function startPaymentLoop(options: PaymentLoopOptions): WorkLoop {
  const { payments, account, clock, everyMs = 1_000 } = options;
  const loop = new WorkLoop(options);
  const poll = async (): Promise<number> => {
    if (!(await payments.hasOpen(account))) return idleMs;
    const waiting = await payments.waiting(account, clock.now());
    for (const one of waiting) await advance(options, one);
    // An order may need another step.
    if (waiting.length > 0) return 0;
    await payments.deleteOrphans(account, new Date(clock.now().getTime() - orphanAfterMs));
    return everyMs;
  };
  loop.start(poll, () => everyMs);
  return loop;
}

const released: Holds['verdict'] = async () => ({
  ...{ refusal: null, cost: null, decidedAt: null, costRose: null },
  ...{ highestRise: null, waitsForFunds: false },
});

async function advance(
  { payments, journal, account, clock, holds, startJobs }: PaymentLoopOptions,
  { payment, heldBy }: WaitingPayment,
): Promise<void> {
  const { id, state, expiresAt, expiresAfterMs } = payment;
  const now = clock.now();
  if (state === 'CONFIRMED') {
    await payments.release(account, id);
    startJobs();
  } else if (state === 'EXPIRING') {
    await journal.jobs.endWaiting(account, id, now, { outcome: 'CANCELLED', details: '{}' });
    await payments.endExpiring(account, id);
  } else if (expiresAt !== null) {
    await payments.end(account, id, 'EXPIRING');
  } else if (heldBy === null) {
    await payments.end(account, id, 'CANCELLED');
  } else if (heldBy === 'payment') {
    const job = await journal.jobs.byId(account, id);
    const asPaid = holds.map((one) => (one.by === 'payment' ? { ...one, verdict: released } : one));
    if (job && (await refusalOf({ holds: asPaid }, job))) {
      // The lines end with this refusal.
      await payments.release(account, id);
      startJobs();
    } else await payments.begin(account, id, new Date(now.getTime() + expiresAfterMs));
  }
}
