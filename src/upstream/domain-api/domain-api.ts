import type { DomainName } from '../../kernel/domain-name.ts';
import { Fault, notCached } from '../../kernel/faults.ts';
import type { MaxAges } from '../../kernel/instant.ts';
import type { Notices } from '../../kernel/notice.ts';
import type { Clock } from '../../lib/clock.ts';
import type { CacheRevision } from '../../lib/lazy.ts';
import { createSingleFlight, type Requester } from '../../lib/single-flight.ts';
import {
  type CallOptions,
  clientOf,
  type Operation,
  requestContextOf,
  type UpstreamCall,
} from '../client/operation.ts';
import { createTtlCache, type TtlCache } from '../policies/cache.ts';
import { ConcurrencyLimit } from '../policies/concurrency.ts';
import type { Offers } from './availability-shapes.ts';
import type { DomainActions } from './client.ts';
import { NameChecks, type OffersList } from './name-checks.ts';
import { domainApi as operations } from './operations.ts';
import type { DomainDetails, UnnamedDetails } from './shapes.ts';

type CheckActions = 'singlecheckavailability' | 'bulkcheckavailability';

/**
 * The Domain API as the modules use it: one function per action, and one for both availability checks.
 *
 * Reads with `shared` join an identical read in flight or use the cache. Every other read is a call of its own; its
 * reply is cached too. A write invalidates the reads that its row names, before and after the call.
 */
export interface DomainApi extends Omit<DomainActions, CheckActions | 'getdetails'> {
  /** The reply has the time of its request, also when it is cached. */
  getdetails(
    ...request: Parameters<DomainActions['getdetails']>
  ): Promise<UnnamedDetails & Pick<DomainDetails, 'asOf'>>;
  /**
   * The offers of the names, in their order, in one call for all that are not cached. A call that fails as a whole is the fault
   * of each of its names.
   *
   * @throws the reason of an aborted signal.
   */
  checkNames(names: readonly string[], options: CallOptions): Promise<OffersList>;
  /** The price list in the cache, however old; null without one. It causes no call. */
  cachedTlds(request: TldListRequest): TldList | null;
  /** The same while it is fresh, as a shared read of it returns it. */
  freshTlds(request: TldListRequest, options: CallOptions): TldList | null;
}

type TldListRequest = Parameters<DomainActions['tldlist']>[0];
type TldList = Awaited<ReturnType<DomainActions['tldlist']>>;

export interface DomainApiOptions {
  readonly clock: Clock;
  /** Measures the age of cached replies; default `clock`. */
  readonly cacheClock?: Pick<Clock, 'monotonicMs'>;
  /** Of all caches of the tenant. */
  readonly revision: CacheRevision;
  /** Age until which a reply is fresh, in milliseconds; 0 disables that cache. */
  readonly maxAges: MaxAges;
  /** Null for a single replica. */
  readonly notices: Notices | null;
  /** Slots for reads. A batch of names waits while as many are in flight. Default: no limit. */
  readonly readSlots?: () => number;
}

const maxCachedDomains = 20_000;
/** Availability is cached for seconds, so more entries would expire before they are used. */
const maxCachedNames = 2_000;
/** A stale price list is returned while it is refreshed, up to this multiple of its maximum age. */
const staleFactor = 10;
/** A price list is returned, marked as stale, for this long when the upstream cannot return a new one. */
const lastResortMs = 24 * 3_600_000;
/** After a failed refresh the gateway waits this long before it refreshes a stale entry again. */
const refreshPauseMs = 5_000;

type DomainAction = keyof DomainActions;
type Send = (request: object, options: CallOptions) => Promise<unknown>;
/** The domain that a write is about. */
interface About {
  readonly domain: string;
}

/** Adds caching, single-flight and batching to the actions of one tenant. */
export function createDomainApi(actions: DomainActions, options: DomainApiOptions): DomainApi {
  const { clock, cacheClock = clock, revision, maxAges, notices } = options;
  const places = options.readSlots && new ConcurrencyLimit(options.readSlots);
  const names = createTtlCache<Offers>({
    clock: cacheClock,
    revision,
    maxEntries: maxCachedNames,
    maxAgeMs: maxAges.availabilityMs,
  });
  const checks = new NameChecks(actions, clock, names, places);
  const reads = new SharedReads(actions, options);
  const invalidate = (action: DomainAction, about: About) => {
    for (const read of invalidatedBy(action)) {
      if (read === 'bulkcheckavailability') checks.invalidate(about.domain);
      else reads.invalidate(read, about);
    }
  };
  const write = async (
    action: DomainAction,
    request: About,
    how: CallOptions,
  ): Promise<unknown> => {
    invalidate(action, request);
    try {
      return await sendOf(actions, action)(request, how);
    } finally {
      // A read that ran at the same time may have returned the state before the write.
      invalidate(action, request);
      notices?.send({ kind: 'write', action, domain: request.domain });
    }
  };
  notices?.follow((notice) => {
    if (notice.kind !== 'write') return;
    const { action, domain } = notice;
    // A replica of another version may report an action that is unknown here.
    if (Object.hasOwn(operations, action)) invalidate(action as DomainAction, { domain });
  });

  return {
    ...clientOf(
      operations,
      (action, { effect }): Send =>
        effect === 'write'
          ? (request, how) => write(action, request as About, how)
          : (...args) => reads.read(action, ...args),
    ),
    cachedTlds: (request) => reads.cachedTlds(request),
    freshTlds: (request, how) => reads.freshTlds(request, how),
    checkNames: (wanted, how) => checks.check(wanted, requesterOf(how), how),
  };
}

/** Reads with caching and single-flight, by action and request. */
class SharedReads {
  readonly #actions: DomainActions;
  readonly #clock: Clock;
  readonly #caches: Readonly<Record<NonNullable<Operation['cacheAs']>, TtlCache<unknown>>>;
  readonly #inFlight = createSingleFlight<unknown, UpstreamCall>();
  #noRefreshUntilMs = -Infinity;

  constructor(
    actions: DomainActions,
    { clock, cacheClock = clock, revision, maxAges }: DomainApiOptions,
  ) {
    this.#actions = actions;
    this.#clock = clock;
    this.#caches = {
      domains: createTtlCache({
        clock: cacheClock,
        revision,
        maxEntries: maxCachedDomains,
        maxAgeMs: maxAges.domainsMs,
      }),
      tlds: createTtlCache({
        clock: cacheClock,
        revision,
        maxEntries: 1,
        maxAgeMs: maxAges.tldsMs,
        staleMs: maxAges.tldsMs * staleFactor,
        lastResortMs,
      }),
    };
  }

  async read(action: DomainAction, request: object, options: CallOptions): Promise<unknown> {
    if (!options.shared) return this.#send(action, request, options);
    const hit = this.#cacheOf(action)?.get(keyOf(action, request));
    if (!hit) return this.#join(action, request, options);
    const { ageMs, leftMs, freshness, value } = hit;
    const serve = (stale: boolean) => {
      options.onCachedRead?.({ action, ageMs, leftMs, stale });
      return value;
    };
    if (freshness === 'fresh') return serve(false);
    if (freshness === 'stale') {
      this.#refresh(action, request);
      return serve(true);
    }
    if (this.#isPaused) return serve(true);
    try {
      return await this.#join(action, request, options);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      this.#pauseRefreshes();
      return serve(true);
    }
  }

  cachedTlds(request: TldListRequest): TldList | null {
    const hit = this.#caches.tlds.get(keyOf('tldlist', request));
    return hit && (hit.value as TldList);
  }

  freshTlds(request: TldListRequest, { onCachedRead }: CallOptions): TldList | null {
    const hit = this.#caches.tlds.get(keyOf('tldlist', request));
    if (hit?.freshness !== 'fresh') return null;
    const { ageMs, leftMs, value } = hit;
    onCachedRead?.({ action: 'tldlist', ageMs, leftMs, stale: false });
    return value as TldList;
  }

  invalidate(action: DomainAction, { domain }: About): void {
    for (const about of [{}, { domain }]) {
      const key = keyOf(action, about);
      this.#cacheOf(action)?.invalidate(key);
      this.#inFlight.detach(key);
    }
  }

  #cacheOf(action: DomainAction): TtlCache<unknown> | null {
    const { cacheAs } = operations[action] as Operation;
    return cacheAs ? this.#caches[cacheAs] : null;
  }

  /** A call of its own; its reply is cached. */
  async #send(action: DomainAction, request: object, options: CallOptions): Promise<unknown> {
    const cache = this.#cacheOf(action);
    const store = cache?.beginStore();
    const key = keyOf(action, request);
    const asOf = this.#clock.now();
    try {
      const found = await sendOf(this.#actions, action)(request, options);
      const reply = action === 'getdetails' ? withTime(found, asOf) : found;
      store?.(key, withoutSecrets(reply));
      return reply;
    } catch (error) {
      if (error instanceof Fault && error.code === 'NOT_FOUND') cache?.invalidate(key);
      throw error;
    }
  }

  async #join(action: DomainAction, request: object, options: CallOptions): Promise<unknown> {
    const key = keyOf(action, request);
    // A call that its first requester cannot pay for would fail for all that join it.
    if (!this.#inFlight.has(key)) options.budget?.assertLeft();
    return this.#inFlight.join(key, requesterOf(options), (signal, onCall) =>
      this.#send(action, request, { ...requestContextOf(options), signal, onCall }),
    );
  }

  /** In the background. */
  #refresh(action: DomainAction, request: object): void {
    if (this.#isPaused) return;
    this.#join(action, request, {}).catch(() => this.#pauseRefreshes());
  }

  get #isPaused(): boolean {
    return this.#clock.monotonicMs() < this.#noRefreshUntilMs;
  }

  #pauseRefreshes(): void {
    this.#noRefreshUntilMs = this.#clock.monotonicMs() + refreshPauseMs;
  }
}

const sendOf = (actions: DomainActions, action: DomainAction) => actions[action] as Send;

const invalidatedBy = (action: DomainAction) =>
  ((operations[action] as Operation).invalidates ?? []) as readonly DomainAction[];

const keyOf = (action: DomainAction, request: object) => `${action} ${JSON.stringify(request)}`;

const withTime = (reply: unknown, asOf: Date): unknown =>
  typeof reply === 'object' && reply !== null ? { ...reply, asOf } : reply;

/** Secrets are cached for no longer than the request that read them. */
const withoutSecrets = (reply: unknown): unknown =>
  typeof reply === 'object' && reply !== null && 'authCode' in reply
    ? { ...reply, authCode: notCached }
    : reply;

/** A call that another requester caused is reported with `shared`. */
const requesterOf = ({ signal, onCall }: CallOptions): Requester<UpstreamCall> => ({
  signal,
  onEvent: onCall && ((call, isFirst) => onCall(isFirst ? call : { ...call, shared: true })),
});

/**
 * One `getdetails`; null for a name that the account does not have.
 *
 * @throws Fault `UPSTREAM_PROTOCOL` when the reply is not about this domain.
 */
export async function readDetails(
  api: Pick<DomainApi, 'getdetails'>,
  name: DomainName,
  options: CallOptions,
): Promise<DomainDetails | null> {
  try {
    const reply = await api.getdetails({ domain: name }, options);
    assertAbout(reply, name, 'NO');
    return { ...reply, name };
  } catch (error) {
    if (error instanceof Fault && error.code === 'NOT_FOUND') return null;
    throw error;
  }
}

/**
 * A record without a name may be an empty one, so it says nothing about a domain.
 *
 * @throws Fault `UPSTREAM_PROTOCOL` when a record of the upstream does not have this name.
 */
export function assertAbout(
  record: Pick<UnnamedDetails, 'name'>,
  name: DomainName,
  executed: 'NO' | 'UNKNOWN',
): void {
  if (record.name === name) return;
  throw new Fault('UPSTREAM_PROTOCOL', {
    message: `The registrar returned a record that does not name ${name}.`,
    executed,
  });
}
