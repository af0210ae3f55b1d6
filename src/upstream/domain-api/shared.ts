import type { Clock } from '../../kernel/clock.ts';
import { Fault } from '../../kernel/faults.ts';
import { notKept } from '../../kernel/leaf.ts';
import type { Revision } from '../../kernel/revision.ts';
import { causeOf } from '../cause.ts';
import type { AnyOperation, CallOptions, Keep, UpstreamCall } from '../operation.ts';
import { createFlights, type Waiter } from '../policies/flights.ts';
import { createKept } from '../policies/kept.ts';
import type { Offers } from './availability-shapes.ts';
import { answerTo, type DomainApi } from './client.ts';
import { domainApi } from './operations.ts';
import type { Replicas } from './replicas.ts';
import { createSharedNames } from './shared-names.ts';

export interface SharedOptions {
  readonly clock: Clock;
  /** Of all that this process keeps. */
  readonly revision: Revision;
  /** So long an answer may serve whoever asks later, in milliseconds; 0 keeps nothing. */
  readonly maxAges: Readonly<Record<`${Keep}Ms`, number>>;
  /** Null where this one is alone. */
  readonly replicas: Replicas | null;
}

/** Entries that are kept of each kind. */
const mostKept = 20_000;
/** They are kept for seconds only, so more of them would be old before they are of use. */
const mostNamesKept = 2_000;
/** An old list of TLDs serves at once while a new one is asked for, until it is so many times too old. */
const staleFactor = 10;
/** A list of TLDs serves so long when no new one can be had: prices of yesterday, told as such, beat none. */
const lastResortMs = 24 * 3_600_000;

/** So long after a failure nothing is asked for anew for which something old can still serve. */
const pauseMs = 5_000;

type Action = keyof DomainApi;
type Call = (request: object, options: CallOptions) => Promise<unknown>;

/** How a flight ended: `ageMs` is null for what the upstream answered to it. */
interface Landed {
  readonly value: unknown;
  readonly ageMs: number | null;
}

/**
 * The Domain API as one process shares it. Reads that are asked for as `shared` join a call that is under way for
 * somebody else, are answered by what was kept, and, where they ask whether names are free, are gathered into one call.
 * Every other read is a call of its own, whose answer is kept too. A write clears what its row names, before and after.
 *
 * It lives as long as its client, so it is of one account.
 */
export function shareReads(api: DomainApi, options: SharedOptions): DomainApi {
  const { clock, maxAges, revision, replicas } = options;
  const kept = {
    domains: createKept<unknown>({ clock, revision, most: mostKept, maxAgeMs: maxAges.domainsMs }),
    tlds: createKept<unknown>({
      clock,
      revision,
      most: 1,
      maxAgeMs: maxAges.tldsMs,
      staleMs: maxAges.tldsMs * staleFactor,
      lastResortMs,
    }),
  };
  const names = createSharedNames(api, {
    clock,
    kept: createKept<Offers>({
      clock,
      revision,
      most: mostNamesKept,
      maxAgeMs: maxAges.availabilityMs,
    }),
  });
  const flights = createFlights<Landed, UpstreamCall>();
  let quietUntilMs = -Infinity;
  const keeperOf = (action: Action) => {
    const { keep } = domainApi[action] as AnyOperation;
    return keep && keep !== 'availability' ? kept[keep] : null;
  };
  /** What replicas have in common: the same for every caller, dear to ask for, and without a secret. */
  const commonOf = (action: Action) =>
    (domainApi[action] as AnyOperation).keep === 'tlds' && maxAges.tldsMs > 0
      ? replicas?.answers
      : undefined;

  /** A call of its own, of which later ones may profit. */
  async function call(action: Action, request: object, options: CallOptions): Promise<unknown> {
    const keeper = keeperOf(action);
    const keep = keeper?.ask();
    const share = commonOf(action)?.ask(keyOf(action, request), maxAges.tldsMs);
    let reply: string | null = null;
    const onReply = (text: string) => {
      reply = text;
    };
    try {
      const answer = await (api[action] as Call)(request, {
        ...options,
        ...(share && { onReply }),
      });
      keep?.(keyOf(action, request), withoutSecrets(answer));
      return answer;
    } catch (error) {
      if (error instanceof Fault && error.code === 'NOT_FOUND') {
        keeper?.clear(keyOf(action, request));
      }
      throw error;
    } finally {
      void share?.(reply);
    }
  }

  /** What another replica was answered, if that is young enough and can be read. */
  async function take(
    action: Action,
    request: object,
    signal: AbortSignal,
  ): Promise<Landed | null> {
    const key = keyOf(action, request);
    const keep = keeperOf(action)?.ask();
    const taken = await commonOf(action)?.take(key, maxAges.tldsMs, signal);
    const value = taken && answerTo(action, taken.text);
    if (!taken || value === undefined) return null;
    keep?.(key, value, taken.ageMs);
    return { value, ageMs: taken.ageMs };
  }

  async function join(action: Action, request: object, options: CallOptions): Promise<Landed> {
    const key = keyOf(action, request);
    // Begun without a call to spend, it would fail for all who join it.
    if (!flights.has(key)) options.budget?.demand();
    return flights.join(key, waiterOf(options), async (signal, onCall) => {
      const taken = commonOf(action) ? await take(action, request, signal) : null;
      const asking = { ...causeOf(options), signal, onCall };
      return taken ?? { value: await call(action, request, asking), ageMs: null };
    });
  }

  async function read(action: Action, request: object, options: CallOptions): Promise<unknown> {
    const known = keeperOf(action)?.get(keyOf(action, request));
    const ask = async () => {
      const { value, ageMs } = await join(action, request, options);
      const leftMs = maxAges.tldsMs - (ageMs ?? 0);
      if (ageMs !== null) options.onKept?.({ action, ageMs, leftMs, stale: false });
      return value;
    };
    if (!known) return ask();
    const serve = (stale: boolean) => {
      options.onKept?.({ action, ageMs: known.ageMs, leftMs: known.leftMs, stale });
      return known.value;
    };
    if (known.freshness === 'fresh') return serve(false);
    if (known.freshness === 'stale') refresh(action, request);
    if (known.freshness === 'stale' || isQuiet()) return serve(true);
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      beQuiet();
      return serve(true);
    }
  }

  const isQuiet = () => clock.monotonicMs() < quietUntilMs;
  const beQuiet = () => {
    quietUntilMs = clock.monotonicMs() + pauseMs;
  };

  /** In the background: whoever asks next has the new answer, and a failure costs nobody anything yet. */
  function refresh(action: Action, request: object): void {
    if (!isQuiet()) join(action, request, {}).catch(beQuiet);
  }

  async function write(
    action: Action,
    request: { readonly domain?: string },
    options: CallOptions,
  ): Promise<unknown> {
    clear(action, request);
    try {
      return await (api[action] as Call)(request, options);
    } finally {
      // What was read while it was under way may be from before.
      clear(action, request);
      if (request.domain) replicas?.tellWrite({ action, domain: request.domain });
    }
  }

  function clear(action: Action, request: { readonly domain?: string }): void {
    const { domain } = request;
    for (const cleared of clearsOf(action)) {
      if (cleared === 'bulkcheckavailability' && domain) names.clear(domain);
      for (const about of [{}, { domain }]) {
        const key = keyOf(cleared, about);
        keeperOf(cleared)?.clear(key);
        flights.part(key);
      }
    }
  }

  // The others may be of another version: what this one does not know clears nothing.
  replicas?.onWrite(({ action, domain }) => {
    if (Object.hasOwn(domainApi, action)) clear(action as Action, { domain });
  });

  async function check(domains: readonly string[], options: CallOptions) {
    const answers = options.shared
      ? await names.askShared(domains, waiterOf(options), options)
      : await names.ask(domains, options);
    return new Map([...answers].filter((one): one is [string, Offers] => one[1] !== undefined));
  }

  const functionOf = (action: Action): Call => {
    if (domainApi[action].effect === 'write') return (...args) => write(action, ...args);
    return (request, options) => (options.shared ? read : call)(action, request, options);
  };
  const functions = Object.keys(domainApi).map((name) => [name, functionOf(name as Action)]);
  return {
    // Each function has the types of its row, which `Object.fromEntries` can't say.
    ...(Object.fromEntries(functions) as DomainApi),
    bulkcheckavailability: ({ domains }, options) => check(domains, options),
    async singlecheckavailability({ domain }, options) {
      const offers = (await check([domain], options)).get(domain) ?? [];
      if (offers instanceof Fault) throw offers;
      return offers;
    },
  };
}

const clearsOf = (action: Action) =>
  ((domainApi[action] as AnyOperation).clears ?? []) as readonly Action[];

const keyOf = (action: Action, request: object) => `${action} ${JSON.stringify(request)}`;

/** Secrets are not kept beyond the request that asked for them. */
const withoutSecrets = (answer: unknown): unknown =>
  typeof answer === 'object' && answer !== null && 'authCode' in answer
    ? { ...answer, authCode: notKept }
    : answer;

/** A call that somebody else had sent is told as `shared`. */
const waiterOf = ({ signal, onCall }: CallOptions): Waiter<UpstreamCall> => ({
  signal,
  hear: onCall && ((call, isFirst) => onCall(isFirst ? call : { ...call, shared: true })),
});
