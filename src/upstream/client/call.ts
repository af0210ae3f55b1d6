import { Fault } from '../../kernel/faults.ts';
import { resultOr } from '../../lib/json.ts';
import type { CallObserver } from '../../observability/call-observer.ts';
import type { Login } from '../policies/login-pause.ts';
import { pauseBeforeRetry, transportFaults } from '../policies/retry.ts';
import type { WireResponse } from '../wire/classify.ts';
import type { Members } from '../wire/read.ts';
import { Gate, type GateOptions, outageReasonOf, type PendingCall, type Permit } from './gate.ts';
import type { CallOptions, Operation, UpstreamCall } from './operation.ts';
import type { Transport, WireRequest } from './transport.ts';

/** A write gets more time than a read: a registration takes seconds, and after a timeout its outcome is unknown. */
const writeFactor = 3;

/** The deadline of a write, including its time in the queue. */
export const writeDeadlineMs = (timeoutMs: number): number => writeFactor * timeoutMs;

export interface CallerOptions extends GateOptions {
  readonly transport: Transport;
  /** For a whole read: all attempts and waits together. A write gets three times as long. */
  readonly timeoutMs: number;
  /** Observes every attempt that is sent, for spans, metrics and logs. */
  readonly observer?: CallObserver;
}

interface CallRow {
  readonly row: Operation;
  readonly action: string;
  /** The request as `checkRequest` returns it. */
  readonly fields: Members;
  /** Prepares one attempt immediately before it is sent: credentials are added here. */
  readonly open: () => Attempt;
}

interface Attempt {
  readonly request: Pick<WireRequest, 'method' | 'path' | 'headers' | 'body' | 'reader'>;
  /** The body of a success. @throws Fault for any other response. */
  readonly bodyOf: (response: WireResponse) => unknown;
}

/** What all attempts of a call share. */
interface CallContext {
  readonly exchange: CallRow;
  readonly options: CallOptions;
  /** Names in a bulk call; undefined elsewhere. */
  readonly batch: number | undefined;
  /** The client's abort; undefined for a write. */
  readonly abort: AbortSignal | undefined;
  /** Aborts at the deadline. */
  readonly stop: AbortSignal;
  readonly deadlineMs: number;
  /** The deadline without a shorter one of the caller. */
  readonly usualMs: number;
}

/** Sends calls to one API through the policies: deadline, gate, retries, certainty of faults, and observation. */
export class UpstreamCaller {
  readonly #api: UpstreamCall['api'];
  readonly #options: CallerOptions;
  readonly gate: Gate;

  /** `login` returns the credentials of the account, for an API that has them in its calls. */
  constructor(
    api: UpstreamCall['api'],
    options: CallerOptions,
    login: (() => Login) | null = null,
  ) {
    this.#api = api;
    this.#options = options;
    this.gate = new Gate(api, options, login, (action) =>
      ignoreErrors(() => options.observer?.breakerOpened(api, action)),
    );
  }

  /** @throws Fault; for a read also the reason of the client's abort. */
  async call(exchange: CallRow, options: CallOptions): Promise<unknown> {
    const { clock, randomness, timeoutMs } = this.#options;
    const { budget, once, withinMs = Infinity, longReplyMs = 0 } = options;
    const { effect, batch: list } = exchange.row;
    const isRead = effect === 'read';
    // A write that has begun goes on, so the client's abort is not passed down.
    const abort = isRead ? options.signal : undefined;
    abort?.throwIfAborted();
    // Deducted before any wait, so that concurrent calls cannot exceed the budget.
    if (isRead && !options.bypassesBudget) budget?.assertLeft();
    budget?.take();
    const batch = list && (exchange.fields[list.member] as readonly unknown[]).length;
    const extraMs = (batch ?? 0) * (list?.extraMsPerItem ?? 0);
    const usualMs = isRead ? timeoutMs + extraMs : writeDeadlineMs(timeoutMs);
    const deadlineMs = Math.min(usualMs, withinMs);
    // A write that leaves the queue late would have too little time for its reply.
    const queueMs = isRead ? deadlineMs : deadlineMs / writeFactor;
    using deadline = clock.deadline(deadlineMs + longReplyMs, abort);
    using queueDeadline = isRead ? null : clock.deadline(queueMs);
    const pending: PendingCall = {
      action: exchange.action,
      effect,
      isUrgent: !isRead || options.urgent === true,
      endsAtMs: clock.monotonicMs() + queueMs,
      signal: queueDeadline?.signal ?? deadline.signal,
    };
    const stop = deadline.signal;
    const context = { exchange, options, batch, abort, stop, deadlineMs, usualMs };
    for (let number = 1; ; number += 1) {
      const permit = await this.#enter(pending, abort);
      try {
        return await this.#attempt(context, number, permit);
      } catch (error) {
        const pauseMs = pauseBeforeRetry(error, number, effect, randomness);
        if (pauseMs === null || clock.monotonicMs() + pauseMs >= pending.endsAtMs) throw error;
        if (once && transportFaults.has((error as Fault).code)) throw error;
        if (budget && !(budget.takeSpare() && budget.take())) throw error;
        await clock.wait(pauseMs, abort);
      }
    }
  }

  async #enter(pending: PendingCall, abort: AbortSignal | undefined): Promise<Permit> {
    try {
      return await this.gate.enter(pending);
    } catch (error) {
      abort?.throwIfAborted();
      throw pending.signal.aborted ? new Fault('UPSTREAM_TIMEOUT', { executed: 'NO' }) : error;
    }
  }

  async #attempt(context: CallContext, number: number, permit: Permit): Promise<unknown> {
    const { exchange, options, batch, abort, stop, deadlineMs, usualMs } = context;
    const { transport, clock, observer } = this.#options;
    const { action, row } = exchange;
    const { effect } = row;
    const { requestId, trace, onCall } = options;
    const startedMs = clock.monotonicMs();
    const about = {
      api: this.#api,
      action,
      attempt: number,
      ...(batch !== undefined && { batch }),
    };
    const observed = ignoreErrors(() => observer?.begin({ ...about, effect, requestId, trace }));
    let outcome = 'OK';
    let status: number | undefined;
    let fault: Fault | null = null;
    try {
      const { request, bodyOf } = exchange.open();
      const response = await transport({
        ...request,
        headers: { ...ignoreErrors(() => observed?.headers()), ...request.headers },
        stop,
        deadlineMs,
        ...(abort && { signal: abort }),
      });
      status = response.status;
      const reply = row.reply(bodyOf(response));
      if (reply === undefined) throw new Fault('UPSTREAM_PROTOCOL', { executed: 'UNKNOWN' });
      return reply;
    } catch (error) {
      if (abort?.aborted && error === abort.reason) {
        outcome = 'ABORTED';
        throw error;
      }
      fault = faultOfAttempt(error, effect === 'read');
      outcome = fault.code;
      throw fault;
    } finally {
      const durationMs = clock.monotonicMs() - startedMs;
      const isCutShort = status === undefined && durationMs < usualMs / 2;
      const unavailable = fault && outageReasonOf(fault, status);
      ignoreErrors(() => observed?.end(outcome, status, fault?.upstream?.code, unavailable));
      this.gate.leave(permit, { fault, status, isCutShort, durationMs, unavailable });
      ignoreErrors(() => onCall?.({ ...about, durationMs, outcome }));
    }
  }
}

/** The fault of an attempt. A read changes nothing, so its fault always has `executed: NO`. */
function faultOfAttempt(error: unknown, isRead: boolean): Fault {
  const fault =
    error instanceof Fault
      ? error
      : Object.assign(new Fault('INTERNAL', { executed: 'UNKNOWN' }), { cause: error });
  if (!isRead || fault.executed === 'NO') return fault;
  return Object.assign(fault.with({ executed: 'NO' }), { cause: fault.cause });
}

/** Runs code of an observer: one that fails must not fail a purchase. */
const ignoreErrors = <T>(observe: () => T): T | undefined => resultOr(observe, undefined);
