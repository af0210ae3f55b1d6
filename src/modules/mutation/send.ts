import { asFault, Fault, type FieldResult, isUnlistedRefusal } from '../../kernel/faults.ts';
import type { CallBudget } from '../../kernel/upstream-calls.ts';
import type { Clock } from '../../lib/clock.ts';
import type { CallOptions } from '../../upstream/client/operation.ts';

/** `sentences` are the unknown fact, and the next step of the client. */
const outcomeUnknown = (fault: Fault, sentences: string, retryable: boolean): Fault =>
  new Fault('OUTCOME_UNKNOWN', {
    message: `${fault.message} ${sentences}`,
    facts: fault.facts,
    retryable,
    ...(fault.upstream && { upstream: fault.upstream }),
  });

/**
 * One call and never a second, for a write whose outcome no read shows. `unknown` are the sentences of `OUTCOME_UNKNOWN`, and
 * `retryable` is whether the client may repeat the mutation. With `endsRefused` a refusal with an unlisted code is thrown as it is.
 *
 * @throws Fault `OUTCOME_UNKNOWN` unless the write is known not to be executed.
 */
export async function sendOnce<T>(
  unknown: string,
  send: () => Promise<T>,
  { retryable = false, endsRefused = false } = {},
): Promise<T> {
  try {
    return await send();
  } catch (error) {
    const isCertain = !(error instanceof Fault) || error.executed === 'NO';
    if (isCertain || (endsRefused && isUnlistedRefusal(error))) throw error;
    throw outcomeUnknown(error, unknown, retryable);
  }
}

export interface WriteTime {
  readonly clock: Clock;
  /** Longest duration of a write, all its calls together. */
  readonly writeDeadlineMs: number;
  /** Pays for the verification and the second call. */
  readonly budget: Pick<CallBudget, 'takeSpare'>;
}

/** A write that may be sent twice without a further effect. */
interface IdempotentWrite<T> {
  readonly send: (limit: Pick<CallOptions, 'withinMs'>) => Promise<T>;
  /**
   * Reads the result after a lost reply: null when the write is not visible, a fault when it cannot be read. Null where no read
   * shows the result.
   */
  readonly verify: (() => Promise<FieldResult<T | null>>) | null;
  /** The message of `OUTCOME_UNKNOWN`. */
  readonly unknownMessage: (wasRead: boolean) => string;
}

/** A reply may be lost shortly before the upstream executes the call. */
const settlingMs = 250;

/**
 * At most two calls. The second is sent when the first never left the gateway, or when its reply was lost and a read does not
 * show the write. A refusal is no lost reply, whatever its code.
 *
 * @throws Fault the refusal of the upstream, or the fault of a call that is known not to be executed; `OUTCOME_UNKNOWN` when a
 * reply was lost and neither the read nor the second call shows the outcome.
 */
export async function sendIdempotent<T>(
  { clock, writeDeadlineMs, budget }: WriteTime,
  { send, verify, unknownMessage }: IdempotentWrite<T>,
): Promise<T> {
  const endsAtMs = clock.monotonicMs() + writeDeadlineMs;
  let isLost = false;
  for (let isLast = false; ; isLast = true) {
    const withinMs = Math.ceil(endsAtMs - clock.monotonicMs());
    const fault = await send({ withinMs }).catch(asFault);
    if (!(fault instanceof Fault)) return fault;
    const wasLost = isLost;
    isLost ||= fault.executed !== 'NO';
    // With Retry-After the client decides when to repeat.
    const mayPass = fault.code === 'UPSTREAM_UNAVAILABLE' && fault.facts.retryAfterMs === undefined;
    if (!isLost && (isLast || !mayPass)) throw fault;
    await clock.wait(settlingMs);
    const seen = isLost && verify ? await (budget.takeSpare() ? verify() : fault) : null;
    const wasRead = !(seen instanceof Fault);
    if (wasRead && seen !== null) return seen;
    const isRefused = isUnlistedRefusal(fault);
    if (isRefused && verify && !wasLost) throw fault;
    const { retryAfterMs = 0 } = fault.facts;
    // A call that cannot be answered in time would only have another unknown outcome.
    const hasTime = endsAtMs - clock.monotonicMs() - retryAfterMs > writeDeadlineMs / 3;
    if (isLast || isRefused || !wasRead || !hasTime || !budget.takeSpare()) {
      throw isLost ? outcomeUnknown(fault, unknownMessage(wasRead), true) : fault;
    }
    await clock.wait(retryAfterMs);
  }
}
