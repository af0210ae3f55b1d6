import type { Clock, Randomness } from '../kernel/clock.ts';
import { Fault, type FaultCode } from '../kernel/faults.ts';
import type { TurnStore } from '../kernel/turn-store.ts';
import {
  type Admission,
  type Breaker,
  type BreakerLimits,
  breakerLimits,
  createBreaker,
  type Verdict,
} from './policies/breaker.ts';
import { createBulkhead } from './policies/bulkhead.ts';
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
import { Parties, StandingLine } from './policies/standing-line.ts';
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
  /** Attempts at a time at most; default 64. */
  readonly maxInFlight?: number;
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
  /** The request that it is for, by whatever stands for that; undefined for one of the gateway's own. */
  readonly party: object | undefined;
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
}

/** What is known of one action. */
interface Lane {
  readonly breaker: Breaker;
  inFlight: number;
  waiting: number;
}

const defaultPlaces = 64;
/** Attempts that may wait for each place: more than can be served before their time is over. */
const waitingPerPlace = 250;

/**
 * What every attempt passes before it is sent, of one account at one API: the login pause, the breaker of the action, the
 * hold that the service asked for, the rate, and a place. What is refused here was surely not sent.
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
  const places = createBulkhead(maxInFlight);
  const waiting = { urgent: 0, others: 0 };
  const parties = new Parties();
  const line = new StandingLine(clock, Math.max(2, maxInFlight / 4));

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
    if (rate) await rate.pass(isUrgent, signal);
    await places.enter(isUrgent, signal);
  };

  return {
    /**
     * Waits until the attempt may be sent. Every pass needs its `leave`.
     *
     * @throws Fault with `executed: NO` for what cannot be sent in time; the signal's reason when that is aborted first.
     */
    async enter(errand: Errand): Promise<Pass> {
      const { action, isUrgent, endsAtMs, signal, party } = errand;
      const lane = laneOf(action);
      const kind = isUrgent ? 'urgent' : 'others';
      // Whoever cannot be served does not stand in line.
      check(lane, errand);
      hold.check(endsAtMs);
      rate?.check(isUrgent, endsAtMs);
      if (waiting[kind] >= maxInFlight * waitingPerPlace) throw lineIsFull();
      lane.waiting += 1;
      waiting[kind] += 1;
      if (!isUrgent) line.became(parties.enter(party));
      try {
        await waitForTurn(errand);
        try {
          // Much may have happened while it waited.
          if (hold.leftMs() > 0) await hold.pass(endsAtMs, signal);
          check(lane, errand);
        } catch (error) {
          places.leave(isUrgent);
          throw error;
        }
      } finally {
        lane.waiting -= 1;
        waiting[kind] -= 1;
        if (!isUrgent) line.became(parties.leave(party));
      }
      lane.inFlight += 1;
      const admission = lane.breaker.enter();
      return { lane, isUrgent, admission, login: loginPause?.enter() ?? null };
    },
    leave({ lane, isUrgent, admission, login: sent }: Pass, end: End): void {
      lane.inFlight -= 1;
      if (end.fault) hold.learn(end.fault);
      lane.breaker.leave(admission, verdictOf(end));
      if (sent) loginPause?.leave(sent, refusalOf(end));
      // Last, so that whoever has the place next finds what was learned.
      places.leave(isUrgent);
    },
    /** Whether more comes than can be sent: a line of requests stands. What money waits for is not counted. */
    isCrowded: (): boolean => line.stands(),
    state: (): ApiState => ({
      places: maxInFlight,
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

const lineIsFull = () =>
  new Fault('UPSTREAM_UNAVAILABLE', {
    message: "The gateway's line to the service is full; try again later.",
    executed: 'NO',
    facts: { retryAfterMs: 1_000 },
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

/** As the login pause wants to know it. */
function refusalOf({ fault, status }: End): Fault | null | undefined {
  if (fault && isLoginRefused(fault)) return fault;
  return status !== undefined && (!fault || fault.upstream) ? null : undefined;
}
