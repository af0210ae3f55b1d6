import { LRUCache } from 'lru-cache';
import { type DomainName, isIdn, tryParseDomainName } from '../../kernel/domain-name.ts';
import { Fault, type FieldResult, valueOr } from '../../kernel/faults.ts';
import { formatMoney } from '../../kernel/money.ts';
import { maxChecksAlone } from '../../kernel/upstream-calls.ts';
import type { Clock } from '../../lib/clock.ts';
import { perTenant } from '../../scope/tenant.ts';
import type { CallOptions } from '../../upstream/client/operation.ts';
import type { Offer, Offers } from '../../upstream/domain-api/availability-shapes.ts';
import type { DomainApi } from '../../upstream/domain-api/domain-api.ts';
import type { Offered } from '../quote/quote.ts';
import { lookalikeFault, saleFault, type TldReads } from '../tld/loader.ts';

export type AvailabilityState = Offered['state'];

/** The result for one name. `state` is AVAILABLE only when the upstream returned an offer that can be read whole. */
export interface Availability extends Offered {
  readonly name: DomainName;
}

/**
 * One `singlecheckavailability` for one name, one `bulkcheckavailability` for many; the results are in the order of the
 * names. A name gets the same result alone, in a batch and in a search, with one exception: of the names that a bulk reply
 * omits for their letters, `maxChecksAlone` at most are checked alone. The others are UNKNOWN and retryable. The TLDs that
 * refused are remembered, so a later request checks others alone.
 *
 * A label that the bounds of its TLD exclude is INVALID when the price list is at hand: cached, or read by the same request
 * anyway. A check reads the list itself only for a name that the upstream left out, or refused without saying why.
 *
 * It rejects only when the client aborts. A name whose entry is an error, empty or missing, or whose call failed, is UNKNOWN;
 * the other names are not affected.
 */
export type CheckTogether = (
  names: readonly DomainName[],
  options: CheckTogetherOptions,
) => Promise<readonly Availability[]>;

export interface CheckTogetherOptions extends CallOptions {
  /** Whether a name that a bulk reply omits for its letters may be checked alone; any name when absent. */
  readonly mayCheckAlone?: (name: DomainName) => boolean;
}

interface CheckOptions {
  readonly api: Pick<DomainApi, 'checkNames'>;
  /** Says why a name has no entry, and which labels a TLD accepts. */
  readonly tlds: Pick<TldReads, 'above' | 'atHand'>;
  readonly idnRefusals: IdnRefusals;
}

export function createCheckTogether({ api, tlds, idnRefusals }: CheckOptions): CheckTogether {
  const knownFault = (name: DomainName): Fault | null =>
    lookalikeFault(name) ?? (idnRefusals.refuses(name) ? new Fault('IDN_UNSUPPORTED') : null);

  const read = (name: DomainName, offers: Offers | undefined): Availability => {
    if (offers instanceof Fault && offers.code === 'IDN_UNSUPPORTED') idnRefusals.learn(name);
    return availabilityOf(name, offers);
  };

  /** @throws the reason of the caller's abort. */
  async function checkAlone(name: DomainName, options: CallOptions): Promise<Availability | null> {
    if (options.budget && !options.budget.takeSpare()) return null;
    // Not shared: batched with other names it would be part of a bulk check again.
    const [offers] = await api.checkNames([name], { ...options, shared: false, joins: false });
    return read(name, offers);
  }

  /** Why the upstream left `name` out, where that can be found out; null otherwise. */
  async function explain(
    name: DomainName,
    offers: Offers | undefined,
    mayCheckAlone: (name: DomainName) => boolean,
    options: CheckTogetherOptions,
  ): Promise<Availability | null> {
    const fault = knownFault(name) ?? (await faultOfSale(name, tlds, options));
    if (fault) return invalid(name, fault);
    if (isUnparsed(offers)) return availabilityOf(name, offers);
    return mayCheckAlone(name) ? checkAlone(name, options) : null;
  }

  /** The results, and INVALID for the labels that the price list at hand excludes. */
  async function withBounds(results: readonly Availability[]): Promise<readonly Availability[]> {
    const above = await tlds.atHand();
    if (!above) return results;
    return results.map((result) => {
      const { name, state } = result;
      const fault = state === 'INVALID' ? null : above(name)?.labelFault;
      return fault ? invalid(name, fault) : result;
    });
  }

  return async (names, options) => {
    const faults = names.map(knownFault);
    const valid = names.filter((_, at) => faults[at] === null);
    const offersOfValid = valid.length > 0 ? await api.checkNames(valid, options) : [];
    const unexplained = new Map<number, Offers | undefined>();
    let next = 0;
    const results = names.map((name, at) => {
      const fault = faults[at];
      if (fault) return invalid(name, fault);
      const offers = offersOfValid[next++];
      if (hasNoCode(offers) || isUnparsed(offers)) unexplained.set(at, offers);
      return read(name, offers);
    });
    if (unexplained.size === 0) return withBounds(results);
    let checksLeft = valid.length === 1 ? 0 : maxChecksAlone;
    const mayCheckAlone = (name: DomainName): boolean =>
      isIdn(name) && (options.mayCheckAlone?.(name) ?? true) && checksLeft-- > 0;
    /** Names under one TLD are explained one after the other, since the first may explain them all. */
    const lastByZone = new Map<string, Promise<void>>();
    for (const [at, offers] of unexplained) {
      const name = names[at];
      if (name === undefined) continue;
      const explainThis = async (before: Promise<void> | undefined) => {
        await before;
        const explained = await explain(name, offers, mayCheckAlone, options);
        if (explained) results[at] = explained;
        else idnRefusals.learnOmission(name);
      };
      lastByZone.set(zoneOf(name), explainThis(lastByZone.get(zoneOf(name))));
    }
    await Promise.all(lastByZone.values());
    return withBounds(results);
  };
}

/** Whether the upstream left the name out, or refused it without a code. */
const hasNoCode = (offers: Offers | undefined): boolean =>
  offers instanceof Fault ? offers.upstream?.code === '' : (offers?.length ?? 0) === 0;

/**
 * Whether the upstream says that the form of the name is wrong. Each name that is sent is well-formed, so the upstream cannot
 * parse it: it does not know every kind of TLD. A bulk reply has no code for that.
 */
function isUnparsed(offers: Offers | undefined): boolean {
  if (!(offers instanceof Fault)) return false;
  const { code = null, message = '' } = offers.upstream ?? {};
  if (code === '') return /\bformat\b/i.test(message);
  return code === 'API_400_ERROR' && offers.code === 'INVALID_INPUT';
}

/** Why the price list excludes the name; null when it does not, or cannot be read. */
async function faultOfSale(
  name: DomainName,
  tlds: Pick<TldReads, 'above'>,
  { signal }: CallOptions,
): Promise<Fault | null> {
  try {
    const above = await tlds.above(name);
    return above ? saleFault(name, above.label, above.tld) : new Fault('TLD_UNSUPPORTED');
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof Fault) return null;
    throw error;
  }
}

/** Refusals that concern the name itself, for every client and at any time. */
const impossible = new Set(['INVALID_INPUT', 'TLD_UNSUPPORTED', 'IDN_UNSUPPORTED', 'RESERVED']);

/** The result for a name from its entry in the reply. */
export function availabilityOf(name: DomainName, offers: Offers | undefined): Availability {
  const unknown = (offer: Offer | null, fault: Fault) => resultFor(name, 'UNKNOWN', offer, fault);
  if (offers instanceof Fault) {
    if (isUnparsed(offers)) return unknown(null, unparsed(offers));
    if (impossible.has(offers.code)) return invalid(name, offers);
    if (offers.code === 'NOT_FOUND') return unknown(null, offers.with({ message: notFound }));
    return unknown(null, hasNoCode(offers) ? offers.with({ retryable: true }) : offers);
  }
  const [offer, ...others] = offers?.filter((one) => isAbout(name, one)) ?? [];
  if (!offer) return unknown(null, silent);
  if (others.some((other) => contradicts(offer, other))) return unknown(null, contradictory);
  // The premium flag decides the price, so an offer without it is no usable offer.
  const isHidden = offer.state === 'AVAILABLE' && offer.premium instanceof Fault;
  if (offer.state === 'UNKNOWN' || isHidden) return unknown(offer, unclear);
  return resultFor(name, offer.state, offer, null);
}

const resultFor = (
  name: DomainName,
  state: AvailabilityState,
  offer: Offer | null,
  fault: Fault | null,
): Availability => ({ name, state, offer, fault });

/** Whether the upstream left the name out of its reply for an unknown reason. */
export const isUnanswered = ({ fault }: Availability): boolean => fault === silent;

/** The result for a name that no client can register. */
export const invalid = (name: DomainName, fault: Fault): Availability =>
  resultFor(name, 'INVALID', null, fault);

/** An offer without a name is taken to be about the requested name. The name of an offer may be in Unicode. */
const isAbout = (name: DomainName, { label, tld }: Offer): boolean => {
  if (label === null) return true;
  const whole = `${label}.${tld ?? ''}`;
  return isName(name, whole) || isName(name, label);
};

/** Whether two offers for one name differ in what a purchase depends on. */
const contradicts = (one: Offer, other: Offer): boolean =>
  one.state !== other.state ||
  plain(one.premium) !== plain(other.premium) ||
  plain(one.period) !== plain(other.period) ||
  priceText(one) !== priceText(other);

const plain = <T>(result: FieldResult<T>) => valueOr(result, undefined);

const priceText = ({ price }: Offer) => {
  const known = valueOr(price, undefined);
  return known && formatMoney(known);
};

const isName = (name: DomainName, text: string): boolean =>
  text.toLowerCase() === name || tryParseDomainName(text) === name;

const silent = new Fault('UPSTREAM_PROTOCOL', {
  message: 'The registrar returned no result for this name; retry later.',
  executed: 'NO',
  retryable: true,
});

const unclear = new Fault('UPSTREAM_PROTOCOL', {
  message: 'The registrar returned a result for this name that cannot be read.',
  executed: 'NO',
});

const contradictory = new Fault('UPSTREAM_PROTOCOL', {
  message: 'The registrar returned several results for this name, and they contradict each other.',
  executed: 'NO',
});

const notFound =
  'The registrar found no object for this name, so it is not known whether it is available.';

const unparsed = ({ upstream }: Fault) =>
  new Fault('NOT_SUPPORTED', {
    message: 'The registrar cannot check this name, so it is not known whether it is available.',
    executed: 'NO',
    ...(upstream && { upstream }),
  });

/** A registry rarely begins to accept non-ASCII letters. */
const maxAgeMs = 3_600_000;
const maxZones = 2_000;

/** The TLDs that take no names with non-ASCII letters, as far as replies showed it; for an hour each. */
export class IdnRefusals {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #zones = new LRUCache<string, { readonly atMs: number; readonly isCertain: boolean }>({
    max: maxZones,
  });

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock;
  }

  /** To be called when the upstream has refused `name` for its letters. */
  learn(name: DomainName): void {
    if (!isIdn(name)) return;
    this.#zones.set(zoneOf(name), { atMs: this.#clock.monotonicMs(), isCertain: true });
  }

  /** To be called when a reply omits `name` without a reason. */
  learnOmission(name: DomainName): void {
    if (!isIdn(name) || this.refuses(name)) return;
    this.#zones.set(zoneOf(name), { atMs: this.#clock.monotonicMs(), isCertain: false });
  }

  /** Whether the label of `name` is an A-label under such a TLD. */
  refuses(name: DomainName): boolean {
    return this.#known(name)?.isCertain ?? false;
  }

  /** Whether a reply has omitted such a name, which is usually a refusal. */
  mayRefuse(name: DomainName): boolean {
    return this.#known(name) !== undefined;
  }

  #known(name: DomainName) {
    const zone = isIdn(name) ? this.#zones.get(zoneOf(name)) : undefined;
    return zone && this.#clock.monotonicMs() - zone.atMs < maxAgeMs ? zone : undefined;
  }
}

/** What follows the label. Only names with one label above the TLD can be registered. */
const zoneOf = (name: DomainName): string => name.slice(name.indexOf('.') + 1);

/** The TLDs known to refuse names with non-ASCII letters. */
export const idnRefusals = perTenant('idnRefusals', ({ facts }) => new IdnRefusals(facts.clock));
