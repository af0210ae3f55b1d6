import { type DomainName, isDomainName, parseDomainName } from '../../kernel/domain-name.ts';
import { Fault } from '../../kernel/faults.ts';
import { leafOr } from '../../kernel/leaf.ts';
import type { Money } from '../../kernel/money.ts';
import type { Offer, Offers } from '../../upstream/domain-api/availability-shapes.ts';
import type { DomainApi } from '../../upstream/domain-api/client.ts';
import type { CallOptions } from '../../upstream/operation.ts';
import { lookalikeFault, saleFault } from '../tld/label-rules.ts';
import type { TldReads } from '../tld/loader.ts';
import { type IdnRefusals, isIdn, zoneOf } from './idn-refusals.ts';

export type AvailabilityState = 'AVAILABLE' | 'TAKEN' | 'INVALID' | 'UNKNOWN';

/** The answer for one name. `state` is AVAILABLE only when the upstream returned an offer that can be read whole. */
export interface Availability {
  readonly name: DomainName;
  readonly state: AvailabilityState;
  readonly offer: Offer | null;
  /** Why there is no usable answer; null when there is one. */
  readonly fault: Fault | null;
}

/**
 * One `singlecheckavailability` for one name, one `bulkcheckavailability` for many; the answers are in the order of the
 * names. A name gets the same answer alone, beside others and in a search.
 *
 * It rejects for nothing but the caller's abort: a name whose entry is an error, empty or missing, or whose call failed,
 * is UNKNOWN and costs its neighbours nothing.
 */
export type CheckTogether = (
  names: readonly DomainName[],
  options: CheckTogetherOptions,
) => Promise<readonly Availability[]>;

export interface CheckTogetherOptions extends CallOptions {
  /** Whether a name that a bulk reply omits for its letters may be checked alone; any name when absent. */
  readonly mayCheckAlone?: (name: DomainName) => boolean;
}

export interface CheckOptions {
  readonly api: DomainApi;
  /** Says why a name has no entry; read only when one has none. */
  readonly tlds: Pick<TldReads, 'above'>;
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
    const offers = await ask(api, [name], { ...options, shared: false });
    return read(name, offers(name));
  }

  /** Why the upstream left `name` out, where that can be found out; null otherwise. */
  async function explain(
    name: DomainName,
    wasAlone: boolean,
    options: CheckTogetherOptions,
  ): Promise<Availability | null> {
    const fault = await faultOfSale(name, tlds, options);
    if (fault) return invalid(name, fault);
    const mayCheckAlone = !wasAlone && (options.mayCheckAlone?.(name) ?? true);
    return isIdn(name) && mayCheckAlone ? checkAlone(name, options) : null;
  }

  return async (names, options) => {
    const asked = names.filter((name) => !knownFault(name));
    const offers = asked.length > 0 ? await ask(api, asked, options) : () => undefined;
    /** Names under one TLD are explained one after the other, since the first may explain them all. */
    const turns = new Map<string, Promise<unknown>>();
    const explainInTurn = (name: DomainName): Promise<Availability | null> => {
      const turn = (turns.get(zoneOf(name)) ?? Promise.resolve()).then(() => {
        const known = knownFault(name);
        return known ? invalid(name, known) : explain(name, asked.length === 1, options);
      });
      turns.set(zoneOf(name), turn);
      return turn;
    };
    return Promise.all(
      names.map(async (name) => {
        const known = asked.includes(name) ? null : knownFault(name);
        if (known) return invalid(name, known);
        const answer = read(name, offers(name));
        return hasNoCode(offers(name)) ? ((await explainInTurn(name)) ?? answer) : answer;
      }),
    );
  };
}

type OffersOf = (name: DomainName) => Offers | undefined;

async function ask(
  api: DomainApi,
  names: readonly DomainName[],
  options: CallOptions,
): Promise<OffersOf> {
  try {
    const [first] = names;
    if (names.length === 1 && first) {
      const offers = await api.singlecheckavailability({ domain: first }, options);
      return () => offers;
    }
    const offers = await api.bulkcheckavailability({ domains: [...names] }, options);
    return (name) => offers.get(name);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return () => error;
  }
}

/** Whether the upstream left the name out, or refused it without saying by which code. */
const hasNoCode = (offers: Offers | undefined): boolean =>
  offers instanceof Fault ? offers.upstream?.code === '' : (offers?.length ?? 0) === 0;

/** Why the catalogue rules the name out; null when it does not, or cannot be read. */
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

/** Refusals that are about the name itself, for every caller and at any time. */
const impossible = new Set(['INVALID_INPUT', 'TLD_UNSUPPORTED', 'IDN_UNSUPPORTED', 'RESERVED']);

function availabilityOf(name: DomainName, offers: Offers | undefined): Availability {
  if (offers instanceof Fault) {
    if (impossible.has(offers.code)) return invalid(name, offers);
    const fault = hasNoCode(offers) ? offers.with({ retryable: true }) : offers;
    return { name, state: 'UNKNOWN', offer: null, fault };
  }
  const offer = offers?.find((one) => isAbout(name, one));
  if (!offer) return { name, state: 'UNKNOWN', offer: null, fault: silent };
  if (offer.state === 'UNKNOWN') return { name, state: 'UNKNOWN', offer, fault: unclear };
  // Whether a name is premium decides what it costs, so an offer that hides it is no offer.
  const isHidden = offer.state === 'AVAILABLE' && offer.premium instanceof Fault;
  return isHidden
    ? { name, state: 'UNKNOWN', offer, fault: unclear }
    : { name, state: offer.state, offer, fault: null };
}

/** Whether the upstream left the name out of its reply, and the gateway does not know why. */
export const isUnanswered = ({ fault }: Availability): boolean => fault === silent;

/** The answer for a name that no caller can register. */
export const invalid = (name: DomainName, fault: Fault): Availability => ({
  name,
  state: 'INVALID',
  offer: null,
  fault,
});

/** An offer without a name is taken to be about the name that was asked for; the name of an offer may be in Unicode. */
const isAbout = (name: DomainName, { label, tld }: Offer): boolean => {
  if (label === null) return true;
  const said = [label, `${label}.${tld ?? ''}`].map((text) => text.toLowerCase());
  return (
    said.includes(name) || said.some((text) => isDomainName(text) && parseDomainName(text) === name)
  );
};

const silent = new Fault('UPSTREAM_PROTOCOL', {
  message: 'The registrar gave no answer for this name; try again later.',
  executed: 'NO',
  retryable: true,
});

const unclear = new Fault('UPSTREAM_PROTOCOL', {
  message: 'The registrar gave an answer for this name that cannot be understood.',
  executed: 'NO',
});

/** The price of an offer, where it means something: a taken name carries the list price. */
export const offeredPrice = ({ state, offer }: Availability): Money | null =>
  state === 'AVAILABLE' ? leafOr(offer?.price ?? null, null) : null;
