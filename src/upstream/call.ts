import type { Clock, Randomness } from '../kernel/clock.ts';
import { Fault } from '../kernel/faults.ts';
import { createGate, type GateOptions, type Pass } from './gate.ts';
import type { CallOptions, UpstreamCall } from './operation.ts';
import type { Login } from './policies/login-pause.ts';
import { withRetries } from './policies/retry.ts';
import type { Transport, WireReply, WireRequest } from './transport.ts';
import { type UpstreamWatch, watchAttempt } from './watch.ts';

/** A write gets more time than a read: a registration takes seconds, and giving it up early leaves a question open. */
const writeFactor = 3;

/** How long a write may be under way, waiting for its turn included. */
export const writeDeadlineMs = (timeoutMs: number): number => writeFactor * timeoutMs;

export interface CallerOptions extends GateOptions {
  readonly transport: Transport;
  /** For a whole read, all its attempts and waiting together; a write gets three times as long. */
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly watch?: UpstreamWatch;
}

/** One call of a row, ready to go. */
export interface Exchange<T> {
  readonly action: string;
  readonly effect: 'read' | 'write';
  readonly extraMs: number;
  readonly batch?: number;
  /** Makes one attempt, at the last moment: this is where credentials join. */
  readonly open: () => Attempt<T>;
}

interface Attempt<T> {
  readonly request: Pick<WireRequest, 'method' | 'path' | 'headers' | 'body' | 'reader'>;
  /** @throws Fault for a reply that is no success. */
  readonly read: (reply: WireReply) => T;
}

/**
 * Puts the policies around an exchange: deadline, gate, repetition, certainty, and the report of each attempt.
 *
 * `login` is that of the account, for an API that is called with one.
 */
export function createCaller(
  api: UpstreamCall['api'],
  callerOptions: CallerOptions,
  login: (() => Login) | null = null,
) {
  const { transport, timeoutMs, clock, randomness, watch } = callerOptions;
  const gate = createGate(callerOptions, login);

  const call = async <T>(exchange: Exchange<T>, options: CallOptions): Promise<T> => {
    const { signal, withinMs = Infinity, longReplyMs = 0, onCall, urgent, once } = options;
    const { requestId, trace, budget, isOwed = false } = options;
    const { action, effect, batch } = exchange;
    const isRead = effect === 'read';
    // A write that has begun goes on, so the caller's abort is not even handed down.
    const abort = isRead ? signal : undefined;
    abort?.throwIfAborted();
    // Taken before anything is waited for, so that of many calls at a time none is begun too many.
    if (isRead && !isOwed) budget?.demand();
    budget?.take();
    const ownMs = isRead ? timeoutMs + exchange.extraMs : writeDeadlineMs(timeoutMs);
    const deadlineMs = Math.min(ownMs, withinMs);
    const endsAtMs = clock.monotonicMs() + deadlineMs;
    using deadline = clock.deadline(deadlineMs + longReplyMs, abort);
    const stop = deadline.signal;
    // A write that waits for long leaves too little time for its answer.
    using turn = isRead ? null : clock.deadline(deadlineMs / writeFactor);
    const errand = {
      action,
      effect,
      isUrgent: !isRead || urgent === true,
      endsAtMs: isRead ? endsAtMs : endsAtMs - deadlineMs + deadlineMs / writeFactor,
      signal: turn?.signal ?? stop,
    };

    const enter = async (): Promise<Pass> => {
      try {
        return await gate.enter(errand);
      } catch (error) {
        abort?.throwIfAborted();
        throw errand.signal.aborted ? new Fault('UPSTREAM_TIMEOUT', { executed: 'NO' }) : error;
      }
    };

    const attempt = async (number: number, pass: Pass): Promise<T> => {
      const startedMs = clock.monotonicMs();
      const told = { api, action, attempt: number, ...(batch !== undefined && { batch }) };
      const watched = watch && watchAttempt(watch, { ...told, effect, requestId, trace });
      let outcome = 'OK';
      let status: number | undefined;
      let fault: Fault | null = null;
      try {
        const { request, read } = exchange.open();
        const reply = await transport({
          ...request,
          ...(watched && { headers: { ...watched.headers(), ...request.headers } }),
          stop,
          deadlineMs,
          ...(abort && { signal: abort }),
        });
        status = reply.status;
        return read(reply);
      } catch (error) {
        if (abort?.aborted && error === abort.reason) {
          outcome = 'ABORTED';
          throw error;
        }
        fault = asFault(error, isRead);
        outcome = fault.code;
        throw fault;
      } finally {
        const durationMs = clock.monotonicMs() - startedMs;
        const isCutShort = status === undefined && durationMs < ownMs / 2;
        gate.leave(pass, { fault, status, isCutShort, durationMs });
        watched?.end(outcome, status);
        report(onCall, { ...told, durationMs, outcome });
      }
    };
    return await withRetries({
      action,
      enter,
      attempt,
      deadlineMs,
      clock,
      randomness,
      mayRepeat: ({ code }) =>
        (!once || code === 'RATE_LIMITED') && (!budget || (budget.takeSpare() && budget.take())),
      ...(abort && { signal: abort }),
    });
  };

  return { call, state: gate.state, overloadMs: gate.overloadMs };
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
