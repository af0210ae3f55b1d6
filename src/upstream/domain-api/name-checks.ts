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
import { bisect, type OffersByName, type Send } from './bisect.ts';
import type { DomainActions } from './client.ts';

/** The offers for each of some names, or the fault of a name; undefined where the upstream returned nothing. */
export type OffersList = readonly (Offers | undefined)[];

/** The target duration of the names of a batch of several requesters: the upstream queries the registry name after name. */
const targetMs = 1_000;
/**
 * When the names of a batch of several requesters take this time beside the fixed time of a call, one of them hangs: the batch
 * is abandoned, and each requester's names are sent alone.
 */
const sharedTimeoutMs = 2 * targetMs;
/** Time per name at a registry that responds at once, and at one that may hang. */
const [quickMs, slowMs] = [10, 300];
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
  readonly #batcher: Batcher<Offers | undefined, UpstreamCall, RequestContext>;

  constructor(api: CheckClients, clock: Clock, cache: TtlCache<Offers>) {
    this.#api = api;
    this.#clock = clock;
    this.#cache = cache;
    this.#batcher = new Batcher({
      clock,
      maxKeys: maxNamesPerCall,
      maxSharedKeys: () => this.#pace.batchSizeFor(targetMs, maxNamesPerCall),
      send: async (names, { requesters, context }, signal, onCall) => {
        const withinMs = Math.round(sharedTimeoutMs + this.#pace.fixedMs);
        const timing = requesters === 1 ? { mayHalve: true } : { withinMs };
        const options = { ...context, signal, onCall, ...timing };
        try {
          return await bisect(names, this.#sender(true), options, this.#pace);
        } catch (error) {
          if (error instanceof Fault && error.code === 'UPSTREAM_TIMEOUT') this.#pace.reset(slowMs);
          throw error;
        }
      },
      isCommonFailure: (error) => error instanceof Fault && commonFailures.has(error.code),
    });
  }

  /**
   * The offers in the order of the names. With `shared` it uses the cache and joins the checks of other requests. A call that
   * fails as a whole is the fault of each of its names.
   *
   * @throws the reason of an aborted signal.
   */
  async check(
    names: readonly string[],
    requester: Requester<UpstreamCall>,
    options: CallOptions,
  ): Promise<OffersList> {
    const hits = names.map((name) => (options.shared ? this.#cache.get(name) : null));
    for (const hit of hits) {
      if (!hit) continue;
      const { ageMs, leftMs } = hit;
      options.onCachedRead?.({ action: 'bulkcheckavailability', ageMs, leftMs, stale: false });
    }
    const uncached = names.filter((_, at) => hits[at] === null);
    if (uncached.length === 0) return hits.map((hit) => hit?.value);
    const requested = options.shared
      ? this.#batcher.request(uncached, requester, requestContextOf(options))
      : bisect(uncached, this.#sender(options.mayHalve), options, this.#pace).then((offersOf) =>
          uncached.map(offersOf),
        );
    const offers: OffersList = await requested.catch((error) => uncached.map(() => asFault(error)));
    let next = 0;
    return hits.map((hit) => hit?.value ?? offers[next++]);
  }

  invalidate(name: string): void {
    this.#cache.invalidate(name);
    this.#batcher.detach(name);
  }

  /** Sends one call. A measured one changes the estimate of the pace. */
  #sender(isMeasured = false): Send {
    return async (names, options) => {
      const startedMs = this.#clock.monotonicMs();
      const store = this.#cache.beginStore();
      const [first] = names;
      const offersByName: OffersByName =
        names.length === 1 && first !== undefined
          ? new Map([[first, await this.#api.singlecheckavailability({ domain: first }, options)]])
          : await this.#api.bulkcheckavailability({ domains: [...names] }, options);
      for (const [name, offers] of offersByName) {
        if (offers && !(offers instanceof Fault) && offers.length > 0) store(name, offers);
      }
      if (isMeasured) this.#pace.record(names.length, this.#clock.monotonicMs() - startedMs);
      return offersByName;
    };
  }
}
