import { type DomainName, isDomainName, parseDomainName } from '../../kernel/domain-name.ts';
import { Fault } from '../../kernel/faults.ts';
import { leafOr } from '../../kernel/leaf.ts';
import type { Money } from '../../kernel/money.ts';
import type { Offer, Offers } from '../../upstream/domain-api/availability-shapes.ts';
import type { DomainApi } from '../../upstream/domain-api/client.ts';
import type { CallOptions } from '../../upstream/operation.ts';

export type AvailabilityState = 'AVAILABLE' | 'TAKEN' | 'INVALID' | 'UNKNOWN';

/** What is known of one name. `state` is AVAILABLE only when the service said so in an offer that can be read whole. */
export interface Availability {
  readonly name: DomainName;
  readonly state: AvailabilityState;
  readonly offer: Offer | null;
  /** Why there is no usable answer; null when there is one. */
  readonly fault: Fault | null;
}

/**
 * One `singlecheckavailability` for one name, one `bulkcheckavailability` for many; the answers stand as the names do.
 *
 * It rejects for nothing but the caller's abort: a name that cannot be told, because its entry is an error, empty or
 * missing or because the whole call failed, is UNKNOWN and costs its neighbours nothing.
 */
export type CheckTogether = (
  names: readonly DomainName[],
  options: CallOptions,
) => Promise<readonly Availability[]>;

export const createCheckTogether =
  (api: DomainApi): CheckTogether =>
  async (names, options) => {
    const offers = await ask(api, options, names);
    return names.map((name) => read(name, offers(name)));
  };

type Ask = (name: DomainName) => Offers | undefined;

async function ask(
  api: DomainApi,
  options: CallOptions,
  names: readonly DomainName[],
): Promise<Ask> {
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

/** Refusals that are about the name itself, whoever asks and whenever. */
const impossible = new Set(['INVALID_INPUT', 'TLD_UNSUPPORTED', 'RESERVED']);

function read(name: DomainName, offers: Offers | undefined): Availability {
  if (offers instanceof Fault) {
    const state = impossible.has(offers.code) ? 'INVALID' : 'UNKNOWN';
    return { name, state, offer: null, fault: offers };
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

/** An offer that leaves its name out is taken to be about what was asked; one that tells it may do so in Unicode. */
const isAbout = (name: DomainName, { label, tld }: Offer): boolean => {
  if (label === null) return true;
  const said = [label, `${label}.${tld ?? ''}`].map((text) => text.toLowerCase());
  return (
    said.includes(name) || said.some((text) => isDomainName(text) && parseDomainName(text) === name)
  );
};

const silent = new Fault('UPSTREAM_PROTOCOL', {
  message: 'The service gave no answer for this name; ask again later.',
  executed: 'NO',
  retryable: true,
});

const unclear = new Fault('UPSTREAM_PROTOCOL', {
  message: 'The service gave an answer for this name that is not understood.',
  executed: 'NO',
});

/** The price of an offer, where it means something: a taken name carries the list price. */
export const offeredPrice = ({ state, offer }: Availability): Money | null =>
  state === 'AVAILABLE' ? leafOr(offer?.price ?? null, null) : null;
