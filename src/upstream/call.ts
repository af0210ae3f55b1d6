import type { Clock, Randomness } from '../kernel/clock.ts';
import { Fault } from '../kernel/faults.ts';
import type { CallOptions, UpstreamCall } from './operation.ts';
import { createConcurrencyLimit } from './policies/concurrency.ts';
import { withRetries } from './policies/retry.ts';
import type { Transport, WireReply, WireRequest } from './transport.ts';

/** A write gets more time than a read: a registration takes seconds, and giving it up early leaves a question open. */
const writeFactor = 3;

/** How long a write may be under way, waiting for its turn included. */
export const writeDeadlineMs = (timeoutMs: number): number => writeFactor * timeoutMs;

export interface CallerOptions {
  readonly transport: Transport;
  /** For a whole read, all its attempts and waiting together; a write gets three times as long. */
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly randomness: Randomness;
  /** Attempts at a time at most; default 16. */
  readonly maxInFlight?: number;
}

/** One call of a row, ready to go. */
export interface Exchange<T> {
  readonly action: string;
  readonly effect: 'read' | 'write';
  readonly extraMs: number;
  readonly batch?: number;
  /** Made anew for each attempt, at the last moment: this is where credentials join. */
  readonly toWire: () => Pick<WireRequest, 'method' | 'path' | 'headers' | 'body' | 'reader'>;
  /** @throws Fault for a reply that is no success. */
  readonly fromWire: (reply: WireReply) => T;
}

/** Puts the policies around an exchange: deadline, places, repetition, certainty, and the report of each attempt. */
export function createCaller(api: UpstreamCall['api'], options: CallerOptions) {
  const { transport, timeoutMs, clock, randomness, maxInFlight = 16 } = options;
  const places = createConcurrencyLimit(maxInFlight);

  return async <T>(
    exchange: Exchange<T>,
    { signal, withinMs = Infinity, longReplyMs = 0, onCall, budget, isOwed = false }: CallOptions,
  ): Promise<T> => {
    const isRead = exchange.effect === 'read';
    // A write that has begun goes on, so the caller's abort is not even handed down.
    const abort = isRead ? signal : undefined;
    abort?.throwIfAborted();
    // Taken before anything is waited for, so that of many calls at a time none is begun too many.
    if (isRead && !isOwed) budget?.demand();
    budget?.take();
    const ownMs = isRead ? timeoutMs + exchange.extraMs : writeDeadlineMs(timeoutMs);
    const deadlineMs = Math.min(ownMs, withinMs);
    using deadline = clock.deadline(deadlineMs + longReplyMs, abort);
    const stop = deadline.signal;

    const attempt = async (number: number): Promise<T> => {
      try {
        await places.enter(stop);
      } catch {
        abort?.throwIfAborted();
        throw new Fault('UPSTREAM_TIMEOUT', { executed: 'NO' });
      }
      const startedMs = clock.monotonicMs();
      let outcome = 'OK';
      try {
        const request = {
          ...exchange.toWire(),
          stop,
          deadlineMs,
          ...(abort && { signal: abort }),
        };
        return exchange.fromWire(await transport(request));
      } catch (error) {
        if (abort?.aborted && error === abort.reason) {
          outcome = 'ABORTED';
          throw error;
        }
        const fault = asFault(error, isRead);
        outcome = fault.code;
        throw fault;
      } finally {
        places.leave();
        report(onCall, {
          api,
          action: exchange.action,
          attempt: number,
          durationMs: clock.monotonicMs() - startedMs,
          outcome,
          ...(exchange.batch !== undefined && { batch: exchange.batch }),
        });
      }
    };
    return await withRetries({
      action: exchange.action,
      attempt,
      deadlineMs,
      clock,
      randomness,
      mayRepeat: () => !budget || (budget.takeSpare() && budget.take()),
      ...(abort && { signal: abort }),
    });
  };
}

/** A read changes nothing, so whatever became of it, nothing was executed. */
function asFault(error: unknown, isRead: boolean): Fault {
  const fault =
    error instanceof Fault
      ? error
      : Object.assign(new Fault('INTERNAL', { executed: 'UNKNOWN' }), { cause: error });
  if (!isRead || fault.executed === 'NO') return fault;
  return Object.assign(fault.with({ executed: 'NO' }), { cause: fault.cause });
}

/** An onlooker that throws must not turn a purchase that went well into a failure. */
function report(onCall: CallOptions['onCall'], call: UpstreamCall): void {
  try {
    onCall?.(call);
  } catch {
    // Its own business.
  }
}
