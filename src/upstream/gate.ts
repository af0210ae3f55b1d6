import type { Clock, Randomness } from '../kernel/clock.ts';
import { Fault, type FaultCode } from '../kernel/faults.ts';
import { QueueBudget } from '../kernel/queue-budget.ts';
import type { TurnStore } from '../kernel/turn-store.ts';
import { AdaptiveLimit, type Load } from './policies/adaptive-limit.ts';
import {
  type Admission,
  type Breaker,
  type BreakerLimits,
  breakerLimits,
  createBreaker,
  type Verdict,
} from './policies/breaker.ts';
import { Bulkhead } from './policies/bulkhead.ts';
import { createHold, createHoldStore, type HoldStore } from './policies/hold.ts';
import {
  createLoginPause,
  isLoginRefused,
  type Login,
  type LoginPause,
  type SentLogin,
} from './policies/login-pause.ts';
import { createRate, createTurnStore, type Rate } from './policies/rate.ts';
import type { PauseLimits } from './policies/recess.ts';
import type { ActionState, ApiState } from './state.ts';

/** When calls stop because of how earlier ones ended. */
export interface GateLimits {
  readonly breaker: BreakerLimits;
  /** After a login that was refused; null goes on calling with it. */
  readonly loginPause: PauseLimits | null;
  /** Longer is not kept to: a service that means a day is asked now and then. */
  readonly longestHoldMs: number;
}

export const gateLimits: GateLimits = {
  breaker: breakerLimits,
  loginPause: { firstMs: 10_000, longestMs: 15 * 60_000 },
  longestHoldMs: 60_000,
};

export interface GateOptions {
  readonly clock: Clock;
  readonly randomness: Randomness;
  /** Attempts in flight at most; default 64. Fewer while the upstream shows overload. */
  readonly maxInFlight?: number;
  /** A request may be expected to wait this long for a slot; default 2 s. */
  readonly queueBudgetMs?: number;
  /** Attempts a second at most; default 0 for as many as come. */
  readonly ratePerSecond?: number;
  readonly limits?: GateLimits;
  /** What replicas of the gateway go by together; each of them by itself unless given. */
  readonly shared?: { readonly hold?: HoldStore; readonly turns?: TurnStore };
}

/** What wants to be sent. */
export interface Errand {
  readonly action: string;
  readonly effect: 'read' | 'write';
  /** A write, or a read that money waits for. */
  readonly isUrgent: boolean;
  /** By the monotonic clock: later it need not be sent any more. */
  readonly endsAtMs: number;
  /** Aborts at that time at the latest. */
  readonly signal: AbortSignal;
}

/** Leave to send one attempt. */
export interface Pass {
  readonly lane: Lane;
  readonly isUrgent: boolean;
  readonly admission: Admission;
  readonly login: SentLogin | null;
}

/** How an attempt ended. */
export interface End {
  /** Null for a success. */
  readonly fault: Fault | null;
  /** Of the reply; absent without one. */
  readonly status: number | undefined;
  /** Whether it was given up before the service had its time: the caller has gone, or came late. */
  readonly isCutShort: boolean;
  readonly durationMs: number;
}

/** What is known of one action. */
interface Lane {
  readonly breaker: Breaker;
  inFlight: number;
  waiting: number;
}

const defaultPlaces = 64;
const defaultQueueBudgetMs = 2_000;
/** The weight of the last attempt in the smoothed duration of attempts. */
const lastAttemptWeight = 0.1;

/**
 * What every attempt passes before it is sent, of one account at one API: the login pause, the breaker of the action, the
 * hold that the service asked for, the rate, and a slot. What is refused here was surely not sent.
 */
export function createGate(options: GateOptions, login: (() => Login) | null) {
  const { clock, maxInFlight = defaultPlaces, ratePerSecond = 0, shared = {} } = options;
  const { limits = gateLimits } = options;
  const lanes = new Map<string, Lane>();
  const loginPause: LoginPause | null =
    login && limits.loginPause && createLoginPause({ ...options, ...limits.loginPause, login });
  const hold = createHold({
    ...options,
    longestMs: limits.longestHoldMs,
    store: shared.hold ?? createHoldStore(clock),
  });
  const rate: Rate | null =
    ratePerSecond > 0
      ? createRate({
          clock,
          perSecond: ratePerSecond,
          store: shared.turns ?? createTurnStore(ratePerSecond, clock),
        })
      : null;
  const limit = new AdaptiveLimit(clock, maxInFlight);
  const slots = new Bulkhead(() => limit.current);
  const budget = new QueueBudget(clock, options.queueBudgetMs ?? defaultQueueBudgetMs);
  const waiting = { urgent: 0, others: 0 };
  let inFlight = 0;
  let attemptMs = 0;

  const laneOf = (action: string): Lane => {
    const known = lanes.get(action);
    if (known) return known;
    const breaker = createBreaker(options, limits.breaker);
    const lane = { breaker, inFlight: 0, waiting: 0 };
    lanes.set(action, lane);
    return lane;
  };

  const check = ({ breaker }: Lane, { effect, isUrgent }: Errand) => {
    loginPause?.check();
    breaker.check(isUrgent && effect === 'read');
  };

  const waitForTurn = async ({ isUrgent, endsAtMs, signal }: Errand): Promise<void> => {
    if (hold.leftMs() > 0) await hold.pass(endsAtMs, signal);
    const queuedAtMs = clock.monotonicMs();
    if (rate) await rate.pass(isUrgent, signal);
    await slots.enter(isUrgent, signal);
    if (!isUrgent) budget.record(clock.monotonicMs() - queuedAtMs);
  };

  /** Little's law: queue depth × smoothed duration of an attempt ÷ slots; or ÷ turns a second, where they are fewer. */
  const expectedWaitMs = (isUrgent: boolean): number => {
    const ahead = waiting.urgent + (isUrgent ? 0 : waiting.others);
    const forTurnMs = ratePerSecond > 0 ? (ahead * 1000) / ratePerSecond : 0;
    const forSlotMs = slots.isFree(isUrgent)
      ? 0
      : (ahead * attemptMs) / (isUrgent ? limit.current : slots.readSlots);
    return Math.max(forTurnMs, forSlotMs);
  };

  const checkWait = ({ isUrgent, endsAtMs }: Errand): void => {
    const waitMs = expectedWaitMs(isUrgent);
    if (clock.monotonicMs() + waitMs < endsAtMs) return;
    throw new Fault('OVERLOADED', { executed: 'NO', facts: { retryAfterMs: Math.ceil(waitMs) } });
  };

  return {
    /**
     * Waits until the attempt may be sent. Every pass needs its `leave`.
     *
     * @throws Fault with `executed: NO` for what cannot be sent in time; the signal's reason when that is aborted first.
     */
    async enter(errand: Errand): Promise<Pass> {
      const { action, isUrgent, endsAtMs, signal } = errand;
      const lane = laneOf(action);
      const kind = isUrgent ? 'urgent' : 'others';
      // What cannot be sent in time is not queued.
      check(lane, errand);
      hold.check(endsAtMs);
      rate?.check(isUrgent, endsAtMs);
      checkWait(errand);
      lane.waiting += 1;
      waiting[kind] += 1;
      try {
        await waitForTurn(errand);
        try {
          // Much may have happened while it waited.
          if (hold.leftMs() > 0) await hold.pass(endsAtMs, signal);
          check(lane, errand);
        } catch (error) {
          slots.leave(isUrgent);
          throw error;
        }
      } finally {
        lane.waiting -= 1;
        waiting[kind] -= 1;
      }
      lane.inFlight += 1;
      inFlight += 1;
      const admission = lane.breaker.enter();
      return { lane, isUrgent, admission, login: loginPause?.enter() ?? null };
    },
    leave({ lane, isUrgent, admission, login: sent }: Pass, end: End): void {
      lane.inFlight -= 1;
      inFlight -= 1;
      if (end.fault) hold.learn(end.fault);
      const load = loadOf(end);
      if (load) limit.learn(load, inFlight);
      if (!end.isCutShort) attemptMs += (end.durationMs - attemptMs) * lastAttemptWeight;
      lane.breaker.leave(admission, verdictOf(end));
      if (sent) loginPause?.leave(sent, refusalOf(end));
      // Last, so that the next attempt finds what was learned.
      slots.leave(isUrgent);
    },
    /** The expected wait for a slot when it exceeds the queue budget; else 0. */
    overloadMs(isUrgent: boolean): number {
      const waitMs = expectedWaitMs(isUrgent);
      return waitMs > budget.limitMs() ? waitMs : 0;
    },
    state: (): ApiState => ({
      concurrencyLimit: limit.current,
      heldForMs: hold.leftMs(),
      loginPausedForMs: loginPause?.leftMs() ?? 0,
      actions: Object.fromEntries([...lanes].map(([action, lane]) => [action, stateOf(lane)])),
    }),
  };
}

const stateOf = ({ breaker, inFlight, waiting }: Lane): ActionState => ({
  breaker: breaker.state(),
  inFlight,
  waiting,
});

/** Failures of the way there and back. */
const ofTheWay: ReadonlySet<FaultCode> = new Set([
  'UPSTREAM_TIMEOUT',
  'UPSTREAM_UNAVAILABLE',
  'UPSTREAM_PROTOCOL',
]);

/** What the service tells in a code of its own, with a status below 500, is an answer: one registry may be in trouble. */
function verdictOf({ fault, status, isCutShort }: End): Verdict {
  const isAnswer = status !== undefined && status < 500 && (!fault || fault.upstream);
  if (isAnswer) return 'works';
  if (fault && ofTheWay.has(fault.code)) {
    return fault.code === 'UPSTREAM_TIMEOUT' && isCutShort ? 'nothing' : 'fails';
  }
  return status === undefined ? 'nothing' : 'works';
}

/** What the end of an attempt shows of the upstream's load; null for nothing. */
function loadOf(end: End): Load | null {
  const { fault, status } = end;
  const isRejected = fault?.code === 'RATE_LIMITED' || fault?.facts.retryAfterMs !== undefined;
  if (status === 429 || isRejected) return 'rejected';
  const verdict = verdictOf(end);
  if (verdict === 'nothing') return null;
  return verdict === 'fails' ? 'failed' : 'accepted';
}

/** As the login pause wants to know it. */
function refusalOf({ fault, status }: End): Fault | null | undefined {
  if (fault && isLoginRefused(fault)) return fault;
  return status !== undefined && (!fault || fault.upstream) ? null : undefined;
}
