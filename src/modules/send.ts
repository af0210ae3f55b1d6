import type { CallBudget } from '../kernel/call-budget.ts';
import type { Clock } from '../kernel/clock.ts';
import { Fault } from '../kernel/faults.ts';
import type { Leaf } from '../kernel/leaf.ts';
import type { CallOptions } from '../upstream/operation.ts';

/** What a caller is told of a write when nobody knows how it ended. */
interface Unclear {
  /** Whole sentences: what is not known, and what to do next. */
  readonly told: string;
  /** Whether sending the same again does no harm. */
  readonly retryable: boolean;
}

const outcomeUnknown = ({ message, facts, upstream }: Fault, { told, retryable }: Unclear): Fault =>
  new Fault('OUTCOME_UNKNOWN', {
    message: `${message} ${told}`,
    facts,
    retryable,
    ...(upstream && { upstream }),
  });

/**
 * One call and never a second, for a write whose end can't be read.
 *
 * @throws Fault `OUTCOME_UNKNOWN` unless it is known not to have been done.
 */
export async function sendOnce<T>(unclear: Unclear, send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    const isCertain = !(error instanceof Fault) || error.executed === 'NO';
    throw isCertain ? error : outcomeUnknown(error, unclear);
  }
}

export interface WriteTime {
  readonly clock: Clock;
  /** Milliseconds that a write may be under way, all its calls together. */
  readonly writeDeadlineMs: number;
  /** For what is done once more. */
  readonly budget: Pick<CallBudget, 'takeSpare'>;
}

/** A write that changes nothing more when it is sent twice. */
interface Repeatable<T> {
  readonly send: (limit: Pick<CallOptions, 'withinMs'>) => Promise<T>;
  /** What is there after a lost answer: null when it is not what was asked for, a fault when it can't be read. */
  readonly look: () => Promise<Leaf<T | null>>;
  /** What a caller is told when that does not help. */
  readonly unclear: (wasRead: boolean) => string;
}

/** An answer may be lost a moment before the service has done what was asked for. */
const settlingMs = 250;

/**
 * At most two calls: a second one where the first never left, or where its answer was lost and a look does not show it.
 *
 * @throws Fault what the service, or the lack of one, says to a first call that is known not to have been done;
 * `OUTCOME_UNKNOWN` when an answer was lost and neither look nor second call tells how it ended.
 */
export async function sendRepeatable<T>(
  { clock, writeDeadlineMs, budget }: WriteTime,
  { send, look, unclear }: Repeatable<T>,
): Promise<T> {
  const endsAtMs = clock.monotonicMs() + writeDeadlineMs;
  let isLost = false;
  for (let isLast = false; ; isLast = true) {
    const fault = await outcome(() =>
      send({ withinMs: Math.ceil(endsAtMs - clock.monotonicMs()) }),
    );
    if (!(fault instanceof Fault)) return fault;
    isLost ||= fault.executed !== 'NO';
    // Whoever is told when to come back decides about that.
    const mayPass = fault.code === 'UPSTREAM_UNAVAILABLE' && fault.facts.retryAfterMs === undefined;
    if (!isLost && (isLast || !mayPass)) throw fault;
    await clock.wait(settlingMs);
    const truth = isLost ? await (budget.takeSpare() ? look() : fault) : null;
    const wasRead = !(truth instanceof Fault);
    if (wasRead && truth !== null) return truth;
    const { retryAfterMs = 0 } = fault.facts;
    // A call that has no time to be answered would only be one more that nobody knows about.
    const hasTime = endsAtMs - clock.monotonicMs() - retryAfterMs > writeDeadlineMs / 3;
    if (isLast || !wasRead || !hasTime || !budget.takeSpare()) {
      throw isLost ? outcomeUnknown(fault, { told: unclear(wasRead), retryable: true }) : fault;
    }
    await clock.wait(retryAfterMs);
  }
}

async function outcome<T>(send: () => Promise<T>): Promise<T | Fault> {
  try {
    return await send();
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}
