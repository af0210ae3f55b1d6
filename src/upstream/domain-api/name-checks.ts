import { asFault, Fault, type FaultCode } from '../../kernel/faults.ts';
import { maxNamesPerCall } from '../../kernel/upstream-calls.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Requester } from '../../lib/single-flight.ts';
import { ThroughputEstimate } from '../../lib/throughput-estimate.ts';
import {
  type CallOptions,
  type RequestContext,
  requestContextOf,
  type UpstreamCall,
} from '../client/operation.ts';
import { Batcher } from '../policies/batcher.ts';
import type { TtlCache } from '../policies/cache.ts';
import type { Offers } from './availability-shapes.ts';
import type { DomainActions } from './client.ts';
import { createHalvedChecks, halvesOf, type OffersByName } from './halved-checks.ts';

/** The offers for each of some names, or the fault of a name; undefined where the upstream returned nothing. */
export type OffersList = readonly (Offers | undefined)[];

/** How long a name waits for a larger batch while another batch is in flight. */
const batchWindowMs = 2;
/** The target duration of a batch of several requesters: the upstream queries the registry name after name. */
const targetMs = 1_000;
/** After this a batch of several requesters is abandoned, because one of its names hangs; each requester's names are sent alone. */
const sharedTimeoutMs = 2 * targetMs;
/** Time per name at a registry that responds at once, and at one that may hang. */
const [quickMs, slowMs] = [10, 300];
/** A batch that is refused because of one of its names is split this often at most. */
const maxSplits = 16;

/** Refusals that may concern one name of several. */
const nameRefusals: ReadonlySet<FaultCode> = new Set([
  'INVALID_INPUT',
  'TLD_UNSUPPORTED',
  'IDN_UNSUPPORTED',
  'RESERVED',
]);

/** Failures that smaller calls would only repeat, or make worse. */
const commonFailures: ReadonlySet<FaultCode> = new Set([
  'RATE_LIMITED',
  'UPSTREAM_AUTH',
  'IP_NOT_ALLOWED',
]);

type CheckClients = Pick<DomainActions, 'singlecheckavailability' | 'bulkcheckavailability'>;

/**
 * Availability checks: reads the cache, joins checks in flight, batches the names of concurrent requests, and sends one
 * `singlecheckavailability` for one name or one `bulkcheckavailability` for several. A name that is refused, or that makes
 * its call hang, does not fail the other names.
 */
export class NameChecks {
  readonly #api: CheckClients;
  readonly #clock: Clock;
  readonly #cache: TtlCache<Offers>;
  readonly #pace = new ThroughputEstimate(quickMs);
  readonly #checkHalving = createHalvedChecks(
    (names, options) => this.#sendTimed(names, options),
    this.#pace,
  );
  readonly #batcher: Batcher<Offers | undefined, UpstreamCall, RequestContext>;

  constructor(api: CheckClients, clock: Clock, cache: TtlCache<Offers>) {
    this.#api = api;
    this.#clock = clock;
    this.#cache = cache;
    this.#batcher = new Batcher({
      clock,
      maxKeys: maxNamesPerCall,
      windowMs: batchWindowMs,
      maxSharedKeys: () => this.#pace.batchSizeFor(targetMs, maxNamesPerCall),
      send: async (names, { requesters, context }, signal, onCall) =>
        this.#sendBatch(names, requesters === 1, { ...context, signal, onCall }),
      isCommonFailure: (error) => error instanceof Fault && commonFailures.has(error.code),
    });
  }

  /**
   * The offers in the order of the names. With `shared` it uses the cache and joins the checks of other requests.
   *
   * @throws Fault when the call fails as a whole and no name is cached; the reason of an aborted signal.
   */
  async check(
    names: readonly string[],
    requester: Requester<UpstreamCall>,
    options: CallOptions,
  ): Promise<OffersList> {
    if (options.shared) return this.#checkShared(names, requester, options);
    const offersByName = options.mayHalve
      ? await this.#checkHalving(names, options)
      : await this.#sendSplitting(names, options);
    return names.map((name) => offersByName.get(name));
  }

  invalidate(name: string): void {
    this.#cache.invalidate(name);
    this.#batcher.detach(name);
  }

  /** When the call for the uncached names fails, the cached names still have their offers. */
  async #checkShared(
    names: readonly string[],
    requester: Requester<UpstreamCall>,
    options: CallOptions,
  ): Promise<OffersList> {
    const context = requestContextOf(options);
    const hits = names.map((name) => this.#cache.get(name));
    const uncached = names.filter((_, at) => hits[at] === null);
    if (uncached.length === names.length) return this.#batcher.request(names, requester, context);
    for (const hit of hits) {
      if (!hit) continue;
      const { ageMs, leftMs } = hit;
      options.onCachedRead?.({ action: 'bulkcheckavailability', ageMs, leftMs, stale: false });
    }
    if (uncached.length === 0) return hits.map((hit) => hit?.value);
    const requested: OffersList = await this.#batcher
      .request(uncached, requester, context)
      .catch((error) => uncached.map(() => asFault(error)));
    let next = 0;
    return hits.map((hit) => hit?.value ?? requested[next++]);
  }

  async #sendBatch(names: readonly string[], isOfOne: boolean, options: CallOptions) {
    try {
      const offersByName = isOfOne
        ? await this.#checkHalving(names, options)
        : await this.#sendTimed(names, { ...options, withinMs: sharedTimeoutMs });
      return (name: string) => offersByName.get(name);
    } catch (error) {
      if (error instanceof Fault && error.code === 'UPSTREAM_TIMEOUT') this.#pace.reset(slowMs);
      throw error;
    }
  }

  async #sendTimed(names: readonly string[], options: CallOptions): Promise<OffersByName> {
    const startedMs = this.#clock.monotonicMs();
    const offersByName = await this.#sendSplitting(names, options);
    this.#pace.record(names.length, this.#clock.monotonicMs() - startedMs);
    return offersByName;
  }

  /** One call; a refusal that may concern one name splits it. */
  async #sendSplitting(
    names: readonly string[],
    options: CallOptions,
    splits = { left: maxSplits },
  ): Promise<OffersByName> {
    try {
      return await this.#send(names, options);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      const isPart = splits.left < maxSplits;
      // The other parts have their results already.
      if (isPart && error.code === 'COST_LIMIT_EXCEEDED') return sameFault(names, error);
      if (!nameRefusals.has(error.code)) throw error;
      if (names.length === 1) return sameFault(names, error);
      if (splits.left === 0) return sameFault(names, refusedTogether(error));
      splits.left -= 1;
      const results = await Promise.all(
        halvesOf(names).map((half) => this.#sendSplitting(half, options, splits)),
      );
      return new Map(results.flatMap((each) => [...each]));
    }
  }

  async #send(names: readonly string[], options: CallOptions): Promise<OffersByName> {
    const store = this.#cache.beginStore();
    const [first] = names;
    const offersByName: OffersByName =
      names.length === 1 && first !== undefined
        ? new Map([[first, await this.#api.singlecheckavailability({ domain: first }, options)]])
        : await this.#api.bulkcheckavailability({ domains: [...names] }, options);
    for (const [name, offers] of offersByName) {
      if (offers && !(offers instanceof Fault) && offers.length > 0) store(name, offers);
    }
    return offersByName;
  }
}

const sameFault = (names: readonly string[], fault: Fault): OffersByName =>
  new Map(names.map((name) => [name, fault]));

/** For names of which one was refused, when the upstream does not report which one. */
const refusedTogether = ({ upstream }: Fault) =>
  new Fault('UPSTREAM_REJECTED', {
    message: 'The registrar refused these names together; check each name alone.',
    executed: 'NO',
    ...(upstream && { upstream }),
  });
