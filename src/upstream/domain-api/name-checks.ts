import { mostNamesPerCall } from '../../kernel/call-count.ts';
import { Fault, type FaultCode } from '../../kernel/faults.ts';
import type { Clock } from '../../lib/clock.ts';
import { ThroughputEstimate } from '../../lib/throughput-estimate.ts';
import type { CallOptions, UpstreamCall } from '../client/operation.ts';
import { type RequestContext, requestContextOf } from '../client/operation.ts';
import { createBatcher } from '../policies/batcher.ts';
import type { TtlCache } from '../policies/cache.ts';
import type { Requester } from '../policies/single-flight.ts';
import type { Offers } from './availability-shapes.ts';
import type { DomainActions } from './client.ts';
import { createHalvedChecks, type OffersByName } from './halved-checks.ts';

/** The offers for a name, or the fault of that name; undefined when the upstream returned nothing for it. */
export type OffersOf = (name: string) => Offers | undefined;

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

export interface NameChecksOptions {
  readonly clock: Clock;
  readonly cache: TtlCache<Offers>;
}

/**
 * Availability checks: reads the cache, joins checks in flight, batches the names of concurrent requests, and sends one
 * `singlecheckavailability` for one name or one `bulkcheckavailability` for several. A name that is refused, or that makes
 * its call hang, does not fail the other names.
 */
export function createNameChecks(
  api: Pick<DomainActions, 'singlecheckavailability' | 'bulkcheckavailability'>,
  { clock, cache }: NameChecksOptions,
) {
  async function send(names: readonly string[], options: CallOptions): Promise<OffersByName> {
    const store = cache.beginStore();
    const [first] = names;
    const offersByName: OffersByName =
      names.length === 1 && first !== undefined
        ? new Map([[first, await api.singlecheckavailability({ domain: first }, options)]])
        : await api.bulkcheckavailability({ domains: [...names] }, options);
    for (const [name, offers] of offersByName) {
      if (offers && !(offers instanceof Fault) && offers.length > 0) store(name, offers);
    }
    return offersByName;
  }

  /** One call; a refusal that may concern one name splits it. */
  async function sendSplitting(
    names: readonly string[],
    options: CallOptions,
    splits = { left: maxSplits },
  ): Promise<OffersByName> {
    try {
      return await send(names, options);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      const isPart = splits.left < maxSplits;
      // The other parts have their results already.
      if (isPart && error.code === 'COST_LIMIT_EXCEEDED') return sameFault(names, error);
      if (!nameRefusals.has(error.code)) throw error;
      if (names.length === 1) return sameFault(names, error);
      if (splits.left === 0) return sameFault(names, refusedTogether(error));
      splits.left -= 1;
      const middle = Math.ceil(names.length / 2);
      const halves = [names.slice(0, middle), names.slice(middle)];
      const results = await Promise.all(halves.map((half) => sendSplitting(half, options, splits)));
      return new Map(results.flatMap((each) => [...each]));
    }
  }

  const pace = new ThroughputEstimate(quickMs);
  async function sendTimed(names: readonly string[], options: CallOptions): Promise<OffersByName> {
    const startedMs = clock.monotonicMs();
    const offersByName = await sendSplitting(names, options);
    pace.record(names.length, clock.monotonicMs() - startedMs);
    return offersByName;
  }
  const sendHalving = createHalvedChecks({ pace, check: sendTimed });

  const batcher = createBatcher<Offers | undefined, UpstreamCall, RequestContext>({
    clock,
    maxKeys: mostNamesPerCall,
    windowMs: batchWindowMs,
    maxSharedKeys: () => pace.batchSizeFor(targetMs, mostNamesPerCall),
    async send(names, { requesters, context }, signal, onCall) {
      const options = { ...context, signal, onCall };
      try {
        const offersByName =
          requesters === 1
            ? await sendHalving(names, options)
            : await sendTimed(names, { ...options, withinMs: sharedTimeoutMs });
        return (name) => offersByName.get(name);
      } catch (error) {
        if (error instanceof Fault && error.code === 'UPSTREAM_TIMEOUT') pace.reset(slowMs);
        throw error;
      }
    },
    isCommonFailure: (error) => error instanceof Fault && commonFailures.has(error.code),
  });

  /** When the call for the uncached names fails, the cached names still have their offers. */
  async function checkShared(
    names: readonly string[],
    requester: Requester<UpstreamCall>,
    options: CallOptions,
  ): Promise<OffersOf> {
    const cached = new Map<string, Offers>();
    for (const name of names) {
      const hit = cache.get(name);
      if (!hit) continue;
      cached.set(name, hit.value);
      const { ageMs, leftMs } = hit;
      options.onCachedRead?.({ action: 'bulkcheckavailability', ageMs, leftMs, stale: false });
    }
    if (cached.size === 0) return batcher.request(names, requester, requestContextOf(options));
    const uncached = names.filter((name) => !cached.has(name));
    if (uncached.length === 0) return (name) => cached.get(name);
    try {
      const offersOf = await batcher.request(uncached, requester, requestContextOf(options));
      return (name) => cached.get(name) ?? offersOf(name);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      return (name) => cached.get(name) ?? error;
    }
  }

  return {
    /**
     * The offers by name. With `shared` it uses the cache and joins the checks of other requests.
     *
     * @throws Fault when the call fails as a whole and no name is cached; the reason of an aborted signal.
     */
    async check(
      names: readonly string[],
      requester: Requester<UpstreamCall>,
      options: CallOptions,
    ): Promise<OffersOf> {
      if (options.shared) return checkShared(names, requester, options);
      const offersByName = await (options.mayHalve ? sendHalving : sendSplitting)(names, options);
      return (name) => offersByName.get(name);
    },
    invalidate(name: string): void {
      cache.invalidate(name);
      batcher.detach(name);
    },
  };
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
