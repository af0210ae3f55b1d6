import { Fault } from '../../kernel/faults.ts';
import type { Clock, Randomness } from '../../lib/clock.ts';
import { failureOfCode, type OutageReason } from '../../lib/failure-sentence.ts';
import { QueueBudget } from '../../lib/queue-budget.ts';
import { createTokenBuckets, type TokenBuckets } from '../../lib/token-bucket.ts';
import {
  type Admission,
  type Breaker,
  type BreakerLimits,
  breakerLimits,
  createBreaker,
  type PauseLimits,
  type Verdict,
} from '../policies/circuit-breaker.ts';
import { AdaptiveLimit, ConcurrencyLimit, type LoadSignal } from '../policies/concurrency.ts';
import {
  createLoginPause,
  isLoginRefused,
  type Login,
  type LoginPause,
  type SentLogin,
} from '../policies/login-pause.ts';
import { createRateLimit, type RateLimit } from '../policies/rate-limit.ts';
import { transportFaults } from '../policies/retry.ts';
import {
  createRetryAfterPause,
  type PauseChannel,
  type RetryAfterPause,
} from '../policies/retry-after-pause.ts';
import { isBackendFailure } from '../wire/error-codes.ts';
import type { UpstreamCall } from './operation.ts';

/** Why an attempt found the upstream unavailable; null for any other fault. It has nothing of a request or a response but the status. */
export function outageReasonOf(
  { code, cause }: Pick<Fault, 'code' | 'cause'>,
  status?: number,
): OutageReason | null {
  if (code === 'UPSTREAM_TIMEOUT') {
    return { label: 'timeout', sentence: 'The endpoint did not respond in time.' };
  }
  if (code !== 'UPSTREAM_UNAVAILABLE') return null;
  // A connection that failed has a cause.
  if (status !== undefined || cause === undefined) {
    const known = status === undefined ? '' : ` (status ${status})`;
    const sentence = `The endpoint responded that it is not available${known}.`;
    return { label: 'response', sentence };
  }
  if (typeof cause !== 'string') return { label: 'other', sentence: 'The connection failed.' };
  return failureOfCode(cause);
}

/** When calls stop because of the outcomes of earlier ones. */
export interface GateLimits {
  readonly breaker: BreakerLimits;
  /** After a refused login; null disables the pause. */
  readonly loginPause: PauseLimits | null;
  /** A longer `Retry-After` is cut to this, so that a pause of a day is probed now and then. */
  readonly maxRetryAfterMs: number;
}

export const gateLimits: GateLimits = {
  breaker: breakerLimits,
  loginPause: { firstMs: 10_000, maxMs: 15 * 60_000 },
  maxRetryAfterMs: 60_000,
};

export interface GateOptions {
  readonly clock: Clock;
  readonly randomness: Randomness;
  /** Attempts in flight at most; fewer while the upstream shows overload. */
  readonly maxInFlight: number;
  /** A request may be expected to wait this long for a slot. */
  readonly queueBudgetMs: number;
  /** Attempts per second at most; 0 for no limit. */
  readonly ratePerSecond: number;
  readonly limits?: GateLimits;
  /** Called for each refusal of the current login. */
  readonly onLoginRefused?: ((fault: Fault) => void) | undefined;
  /** State that the replicas of the gateway share; in-process by default. */
  readonly shared?: { readonly pause: PauseChannel; readonly buckets: TokenBuckets };
}

export type ApiState = ReturnType<Gate['state']>;

/** Both APIs; null for one that is not configured. */
export interface UpstreamState {
  readonly domain: ApiState;
  readonly account: ApiState | null;
}

/** An attempt that is ready to be sent. */
export interface PendingCall {
  readonly action: string;
  readonly effect: 'read' | 'write';
  /** A write, or a read that verifies a write or settles a purchase. See `CallOptions.urgent`. */
  readonly isUrgent: boolean;
  /** The time, by the monotonic clock, after which it is not sent. */
  readonly endsAtMs: number;
  /** Aborts at `endsAtMs` or earlier. */
  readonly signal: AbortSignal;
}

/** Permission to send one attempt. */
export interface Permit {
  readonly breaker: Breaker;
  readonly isUrgent: boolean;
  readonly admission: Admission;
  readonly login: SentLogin | null;
}

/** This share of the slots is reserved for urgent attempts. */
const reservedShare = 1 / 8;
/** The weight of the last attempt in the smoothed duration of attempts. */
const lastAttemptWeight = 0.1;

/**
 * Admits the attempts of one account at one API. An attempt passes these policies, in this order:
 *
 * 1. Login pause: a refused login is not sent again, whatever the other policies say, so that the account is not locked.
 * 2. Circuit breaker of the action: fails fast while the upstream fails.
 * 3. Retry-After pause: the upstream requested it for all actions.
 * 4. Rate limit: after the pause, so that no token is spent before the attempt can be sent.
 * 5. Concurrency limit: last, so that no attempt holds a slot while it waits for another policy.
 *
 * All are checked before the attempt queues: an attempt that cannot be sent in time fails at once. The first three are checked
 * again after the wait. An attempt that is refused here was not sent.
 */
export class Gate {
  readonly #options: GateOptions;
  readonly #limits: GateLimits;
  readonly #loginPause: LoginPause | null;
  readonly #pause: RetryAfterPause;
  readonly #rateLimit: RateLimit | null;
  readonly #adaptiveLimit: AdaptiveLimit;
  readonly #slots: ConcurrencyLimit;
  readonly #queueBudget: QueueBudget;
  readonly #breakers = new Map<string, Breaker>();
  readonly #onBreakerOpen: (action: string) => void;
  readonly #waiting = { urgent: 0, others: 0 };
  #inFlight = 0;
  /** Time of the last usable reply; null before the first. */
  #respondedAt: Date | null = null;
  #unavailable: OutageReason | null = null;
  /** The smoothed duration of an attempt. */
  #attemptMs = 0;

  /** `onBreakerOpen` receives the action whose circuit breaker opened. */
  constructor(
    api: UpstreamCall['api'],
    options: GateOptions,
    login: (() => Login) | null,
    onBreakerOpen: (action: string) => void = () => undefined,
  ) {
    this.#onBreakerOpen = onBreakerOpen;
    const { clock, ratePerSecond, shared, limits = gateLimits } = options;
    this.#options = options;
    this.#limits = limits;
    this.#loginPause =
      login && limits.loginPause && createLoginPause({ ...options, ...limits.loginPause, login });
    this.#pause = createRetryAfterPause({
      ...options,
      maxMs: limits.maxRetryAfterMs,
      channel: shared?.pause ?? null,
    });
    this.#rateLimit =
      ratePerSecond > 0
        ? createRateLimit({
            clock,
            perSecond: ratePerSecond,
            buckets: shared?.buckets ?? createTokenBuckets(clock),
            key: `calls:${api}`,
          })
        : null;
    this.#adaptiveLimit = new AdaptiveLimit(clock, options.maxInFlight);
    this.#slots = new ConcurrencyLimit(() => this.#adaptiveLimit.current, reservedShare);
    this.#queueBudget = new QueueBudget(clock, options.queueBudgetMs);
  }

  /**
   * Waits until the attempt may be sent. Every permit needs its `leave`.
   *
   * @throws Fault with `executed: NO` when it cannot be sent in time; the signal's reason when that aborts first.
   */
  async enter(call: PendingCall): Promise<Permit> {
    const breaker = this.#breakerOf(call.action);
    this.#checkAll(breaker, call);
    await this.#wait(breaker, call);
    this.#inFlight += 1;
    const admission = breaker.enter();
    const login = this.#loginPause?.enter() ?? null;
    return { breaker, isUrgent: call.isUrgent, admission, login };
  }

  leave({ breaker, isUrgent, admission, login }: Permit, outcome: CallOutcome): void {
    this.#inFlight -= 1;
    if (outcome.fault) this.#pause.record(outcome.fault);
    const verdict = verdictOf(outcome);
    if (verdict === 'works') this.#respondedAt = this.#options.clock.now();
    if (verdict === 'works' || outcome.unavailable) this.#unavailable = outcome.unavailable;
    const load = loadOf(outcome);
    if (load) this.#adaptiveLimit.record(load, this.#inFlight);
    if (!outcome.isCutShort) {
      this.#attemptMs += (outcome.durationMs - this.#attemptMs) * lastAttemptWeight;
    }
    breaker.leave(admission, verdict);
    if (login) this.#loginPause?.leave(login, loginRefusalOf(outcome));
    // Last: it admits the next attempt, which must see the new state.
    this.#slots.leave(isUrgent);
  }

  /** The expected wait for a slot in milliseconds when it exceeds the queue budget; else 0. */
  overloadMs(isUrgent: boolean): number {
    const waitMs = this.#expectedWaitMs(isUrgent);
    return waitMs > this.#queueBudget.limitMs() ? waitMs : 0;
  }

  /** The slots that are not reserved for urgent attempts. */
  get readSlots(): number {
    return this.#slots.unreserved;
  }

  /** Cheap to compute. */
  state() {
    return {
      /** Attempts that may be in flight now: UPSTREAM_CONCURRENCY, or fewer while the upstream shows overload. */
      concurrencyLimit: this.#adaptiveLimit.current,
      inFlight: this.#inFlight,
      /** Attempts that wait for a pause, the rate limit or a slot. */
      waiting: this.#waiting.urgent + this.#waiting.others,
      respondedAt: this.#respondedAt,
      /** Why the last attempt found the upstream unavailable, in a sentence; null since it worked. */
      unavailable: this.#unavailable?.sentence ?? null,
      /** Milliseconds of the Retry-After pause; 0 without one. */
      pausedForMs: this.#pause.leftMs(),
      /** Milliseconds until a refused login is tried again; 0 when it may be used. */
      loginPausedForMs: this.#loginPause?.leftMs() ?? 0,
      /** The circuit breakers of actions that were called. */
      breakers: Object.fromEntries(
        [...this.#breakers].map(([action, breaker]) => [action, breaker.state()]),
      ),
    };
  }

  #breakerOf(action: string): Breaker {
    const known = this.#breakers.get(action);
    if (known) return known;
    const breaker = createBreaker(this.#options, this.#limits.breaker, () =>
      this.#onBreakerOpen(action),
    );
    this.#breakers.set(action, breaker);
    return breaker;
  }

  #checkAll(breaker: Breaker, call: PendingCall): void {
    const { isUrgent, endsAtMs } = call;
    this.#checkCircuits(breaker, call);
    this.#pause.check(endsAtMs);
    this.#rateLimit?.check(isUrgent, endsAtMs);
    const waitMs = this.#expectedWaitMs(isUrgent);
    if (this.#options.clock.monotonicMs() + waitMs < endsAtMs) return;
    throw new Fault('OVERLOADED', { executed: 'NO', facts: { retryAfterMs: Math.ceil(waitMs) } });
  }

  #checkCircuits(breaker: Breaker, { effect, isUrgent }: PendingCall): void {
    this.#loginPause?.check();
    breaker.check(isUrgent && effect === 'read');
  }

  /** Resolves with a slot taken. */
  async #wait(breaker: Breaker, call: PendingCall): Promise<void> {
    const { isUrgent, endsAtMs, signal } = call;
    await this.#waitForSlot(call);
    try {
      // The state may have changed during the wait.
      if (this.#pause.leftMs() > 0) await this.#pause.wait(endsAtMs, signal);
      this.#checkCircuits(breaker, call);
    } catch (error) {
      this.#slots.leave(isUrgent);
      throw error;
    }
  }

  async #waitForSlot({ isUrgent, endsAtMs, signal }: PendingCall): Promise<void> {
    const { clock } = this.#options;
    const kind = isUrgent ? 'urgent' : 'others';
    this.#waiting[kind] += 1;
    try {
      if (this.#pause.leftMs() > 0) await this.#pause.wait(endsAtMs, signal);
      const queuedAtMs = clock.monotonicMs();
      if (this.#rateLimit) await this.#rateLimit.wait(isUrgent, signal);
      await this.#slots.enter(signal, isUrgent);
      if (!isUrgent) this.#queueBudget.record(clock.monotonicMs() - queuedAtMs);
    } finally {
      this.#waiting[kind] -= 1;
    }
  }

  /** Little's law: queue depth × smoothed duration of an attempt ÷ slots; or ÷ calls per second, where that is longer. */
  #expectedWaitMs(isUrgent: boolean): number {
    const ahead = this.#waiting.urgent + (isUrgent ? 0 : this.#waiting.others);
    const { ratePerSecond } = this.#options;
    const forTokenMs = ratePerSecond > 0 ? (ahead * 1000) / ratePerSecond : 0;
    const slots = isUrgent ? this.#adaptiveLimit.current : this.#slots.unreserved;
    const forSlotMs = this.#slots.isFree(isUrgent) ? 0 : (ahead * this.#attemptMs) / slots;
    return Math.max(forTokenMs, forSlotMs);
  }
}

/** How an attempt ended. */
interface CallOutcome {
  /** Null for a success. */
  readonly fault: Fault | null;
  /** HTTP status; undefined without a reply. */
  readonly status: number | undefined;
  /** Whether the attempt was given up before the upstream had its usual time, by an abort or a short deadline. */
  readonly isCutShort: boolean;
  readonly durationMs: number;
  /** Why the attempt found the upstream unavailable; null when it did not. */
  readonly unavailable: OutageReason | null;
}

/** Whether the upstream executed or refused the call. An error code may also report that its own backend failed. */
const isAnswered = ({ fault }: CallOutcome): boolean =>
  !fault || (fault.upstream !== undefined && !isBackendFailure(fault.upstream.code));

/** What the outcome shows to the circuit breaker. An answer of the upstream with a status below 500 shows that it works. */
function verdictOf(outcome: CallOutcome): Verdict {
  const { fault, status, isCutShort } = outcome;
  if (isAnswered(outcome) && status !== undefined && status < 500) return 'works';
  if (fault && transportFaults.has(fault.code)) {
    return fault.code === 'UPSTREAM_TIMEOUT' && isCutShort ? 'nothing' : 'fails';
  }
  return status === undefined ? 'nothing' : 'works';
}

/** What the outcome shows about the upstream's load; null for nothing. */
function loadOf(outcome: CallOutcome): LoadSignal | null {
  const { fault, status } = outcome;
  const isRejected = fault?.code === 'RATE_LIMITED' || fault?.facts.retryAfterMs !== undefined;
  if (status === 429 || isRejected) return 'rejected';
  const verdict = verdictOf(outcome);
  if (verdict === 'nothing') return null;
  return verdict === 'fails' ? 'failed' : 'accepted';
}

/** The fault that refused the login; null when the upstream accepted it; undefined when the outcome does not show it. */
function loginRefusalOf(outcome: CallOutcome): Fault | null | undefined {
  const { fault, status } = outcome;
  if (fault && isLoginRefused(fault)) return fault;
  return status !== undefined && isAnswered(outcome) ? null : undefined;
}
