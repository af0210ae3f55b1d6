import { asFault, Fault, type FaultCode } from '../../kernel/faults.ts';
import { type CallBudget, maxNamesPerCall } from '../../kernel/upstream-calls.ts';
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
import { ConcurrencyLimit } from '../policies/concurrency.ts';
import { transportFaults } from '../policies/retry.ts';
import type { Offers } from './availability-shapes.ts';
import type { DomainActions } from './client.ts';

/** The offers of each name, or its fault; undefined when the upstream returned nothing for it. */
export type OffersByName = ReadonlyMap<string, Offers | undefined>;

/** One call for the names. @throws Fault when it fails as a whole. */
export type Send = (names: readonly string[], options: CallOptions) => Promise<OffersByName>;

/** Refusals that may concern one name of several. */
const nameRefusals: ReadonlySet<FaultCode> = new Set([
  'INVALID_INPUT',
  'TLD_UNSUPPORTED',
  'IDN_UNSUPPORTED',
  'RESERVED',
]);
/** A list is halved this often at most after refusals, and this often after lost calls. */
const maxHalvings = 16;
/** The timeout of a call that may be lost and halved: this, plus twice the expected time of its names. */
const graceMs = 1_000;
/** The timeout of a name that is checked alone because its list was lost. */
const singleMs = 4_000;
/** Without any reply, a lost list is halved this often and its parts then get the usual timeout. */
const maxLevelsWithoutReply = 2;

interface Part {
  readonly names: readonly string[];
  /** Null for the usual timeout. */
  readonly withinMs: number | null;
  /** Whether each of the names has failed in passing in an earlier call. */
  readonly isRepeated?: true;
}

interface FailedPart extends Part {
  readonly fault: Fault;
  readonly wasSent: boolean;
}

/**
 * Checks names in one call, and sends a call that fails because of one name again in halves, level by level. The name fails
 * alone. Names whose entry in a reply says that the upstream failed in passing are checked once more, while the request has a
 * spare call.
 *
 * Halving a refused call takes no spare calls of the request. A lost call is halved with `mayHalve` only, which replaces its
 * retry: while the request has spare calls, and further only when some call gets a reply.
 *
 * @throws Fault of the first call when it cannot be halved; without `mayHalve`, of any lost call.
 */
export async function bisect(
  names: readonly string[],
  send: Send,
  options: CallOptions,
  pace: ThroughputEstimate,
): Promise<(name: string) => Offers | undefined> {
  const spare = options.budget?.spare ?? 2;
  const halvesLost = options.mayHalve === true && names.length > 1 && spare >= 2;
  const bisection = new Bisection(send, options, pace, halvesLost);
  await bisection.check(names);
  return (name) => bisection.found.get(name);
}

class Bisection {
  readonly found = new Map<string, Offers | undefined>();
  readonly #send: Send;
  readonly #options: CallOptions;
  readonly #pace: ThroughputEstimate;
  readonly #halvesLost: boolean;
  readonly #left = { refused: maxHalvings, lost: maxHalvings };
  #hasReply = false;
  #repeated: Part[] = [];

  constructor(send: Send, options: CallOptions, pace: ThroughputEstimate, halvesLost: boolean) {
    this.#send = send;
    this.#options = options;
    this.#pace = pace;
    this.#halvesLost = halvesLost;
  }

  async check(names: readonly string[]): Promise<void> {
    const withinMs = this.#halvesLost ? this.#shortMs(names) : null;
    let parts: readonly Part[] = [{ names, withinMs }];
    for (let level = 0; parts.length > 0; level += 1) {
      const sent = await Promise.all(parts.map((part) => this.#sendPart(part)));
      const failed = sent.filter((outcome) => outcome !== null);
      const next = this.#repeated;
      this.#repeated = [];
      for (const part of failed) next.push(...this.#partsAfter(part, level));
      parts = next;
    }
  }

  #shortMs({ length }: readonly string[]): number {
    return length === 1 ? singleMs : Math.round(graceMs + 2 * this.#pace.expectedMs(length));
  }

  /** Null for a reply. */
  async #sendPart(part: Part): Promise<FailedPart | null> {
    const { budget, onCall } = this.#options;
    let wasSent = false;
    const how: CallOptions = {
      ...this.#options,
      ...(this.#halvesLost && { once: true }),
      ...(part.withinMs !== null && { withinMs: part.withinMs }),
      onCall(call) {
        wasSent = true;
        onCall?.(call);
      },
    };
    try {
      for (const [name, offers] of await this.#send(part.names, how)) this.found.set(name, offers);
      this.#hasReply = true;
      const failed = part.names.filter((name) => hasFailedInPassing(this.found.get(name)));
      if (failed.length > 0 && !part.isRepeated && (budget?.takeSpare() ?? true)) {
        this.#repeated.push({ names: failed, withinMs: part.withinMs, isRepeated: true });
      }
      return null;
    } catch (error) {
      const fault = asFault(error);
      this.#hasReply ||= nameRefusals.has(fault.code);
      return { ...part, fault, wasSent };
    }
  }

  /** The parts that are sent instead of one that failed; none when its names have their results. */
  #partsAfter(part: FailedPart, level: number): readonly Part[] {
    const { names, withinMs, fault } = part;
    // The names have their results already.
    if (part.isRepeated) return [];
    if (nameRefusals.has(fault.code)) {
      if (names.length === 1) return this.#fail(names, fault);
      if (this.#left.refused === 0) return this.#fail(names, refusedTogether(fault));
      this.#left.refused -= 1;
      return halvesOf(names).map((half) => ({ names: half, withinMs }));
    }
    if (this.#halvesLost && transportFaults.has(fault.code) && fault.retryable) {
      return this.#partsAfterLost(part, level);
    }
    // The other parts have their results already.
    if (level > 0 && (this.#halvesLost || fault.code === 'COST_LIMIT_EXCEEDED')) {
      return this.#fail(names, fault);
    }
    throw fault;
  }

  #partsAfterLost({ names, withinMs, fault, wasSent }: FailedPart, level: number): readonly Part[] {
    const isMany = names.length > 1;
    const isShort = withinMs !== null;
    const mayHalve = wasSent && isMany && (this.#hasReply || isShort);
    if (mayHalve && this.#left.lost > 0 && takeTwo(this.#options.budget)) {
      this.#left.lost -= 1;
      const isLastTry = !this.#hasReply && level + 1 >= maxLevelsWithoutReply;
      // Without a reply the upstream may have become slower: half of the names then have the time of all.
      const leastMs = this.#hasReply ? 0 : (withinMs ?? 0);
      return halvesOf(names).map((half) => ({
        names: half,
        withinMs: isLastTry ? null : Math.max(leastMs, this.#shortMs(half)),
      }));
    }
    if (isShort && (isMany || !wasSent)) return [{ names, withinMs: null }];
    return this.#fail(names, fault);
  }

  #fail(names: readonly string[], reason: Fault): readonly Part[] {
    for (const name of names) this.found.set(name, reason);
    return [];
  }
}

/** Whether the entry of a name says that the upstream could not reach its own backend. */
const hasFailedInPassing = (offers: Offers | undefined): boolean =>
  offers instanceof Fault && offers.retryable && transportFaults.has(offers.code);

const takeTwo = (budget: CallBudget | undefined): boolean =>
  !budget || (budget.takeSpare() && budget.takeSpare());

function halvesOf(names: readonly string[]): readonly (readonly string[])[] {
  const middle = Math.ceil(names.length / 2);
  return [names.slice(0, middle), names.slice(middle)];
}

/** For names of which one was refused, when the upstream does not report which one. */
const refusedTogether = ({ upstream }: Fault) =>
  new Fault('UPSTREAM_REJECTED', {
    message: 'The registrar refused these names together; check each name alone.',
    executed: 'NO',
    ...(upstream && { upstream }),
  });

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
/** Of a call without a client. */
const never = new AbortController().signal;
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
  readonly #places: ConcurrencyLimit;
  readonly #pace = new ThroughputEstimate(quickMs);
  readonly #batcher: Batcher<Offers | undefined, UpstreamCall, RequestContext>;

  /** Without `places` every batch is sent at once. */
  constructor(
    api: CheckClients,
    clock: Clock,
    cache: TtlCache<Offers>,
    places = new ConcurrencyLimit(() => Number.MAX_SAFE_INTEGER),
  ) {
    this.#places = places;
    this.#api = api;
    this.#clock = clock;
    this.#cache = cache;
    this.#batcher = new Batcher({
      clock,
      ...{ maxKeys: maxNamesPerCall, places },
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
   * The offers in the order of the names. With `shared` it uses the cache and joins the checks of other requests; with `joins` it
   * joins them only while it would have to wait for a place. A call that fails as a whole is the fault of each of its names.
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
    const joins = options.shared || (options.joins && !this.#places.isFree(false));
    const requested = joins
      ? this.#batcher.request(uncached, requester, requestContextOf(options))
      : this.#checkAlone(uncached, options);
    const offers: OffersList = await requested.catch((error) => uncached.map(() => asFault(error)));
    let next = 0;
    return hits.map((hit) => hit?.value ?? offers[next++]);
  }

  async #checkAlone(names: readonly string[], options: CallOptions): Promise<OffersList> {
    const { joins, mayHalve, signal } = options;
    // Others join only batches that wait, so this call takes a place from them.
    if (joins) await this.#places.enter(signal ?? never);
    try {
      const offersOf = await bisect(names, this.#sender(mayHalve), options, this.#pace);
      return names.map(offersOf);
    } finally {
      if (joins) this.#places.leave();
    }
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
