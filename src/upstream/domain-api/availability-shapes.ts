import type { Fault } from '../../kernel/faults.ts';
import { cleanText } from '../upstream-text.ts';
import {
  entriesOf,
  flag,
  integer,
  isObject,
  leaf,
  type Members,
  objectOf,
  optional,
  optionalText,
  type Read,
  readMoney,
  unreadable,
} from '../wire.ts';

/** What the registry says of one name; `UNKNOWN` when it says nothing that we know. */
export type OfferState = 'AVAILABLE' | 'TAKEN' | 'UNKNOWN';

/** Compared without case and blanks, because both spellings of "not available" are sent. */
const offerState = (status: string | null): OfferState => {
  const bare = status?.toLowerCase().replace(/[\s_-]+/g, '');
  return bare === 'available' ? 'AVAILABLE' : bare === 'notavailable' ? 'TAKEN' : 'UNKNOWN';
};

/** Words of the registry for people, so they are cleaned as every message is. */
const reason: Read<string | null> = (value) => {
  const words = optionalText(value);
  return words && (cleanText(words) || null);
};

const leaves = {
  command: leaf('Command', optionalText),
  period: leaf('Period', optional(integer)),
  premium: leaf('IsFee', flag),
  reason: leaf('Reason', reason),
};

const isAbsent = (value: unknown) => value === undefined || value === null || value === '';

function readOffer(members: Members) {
  const status = optionalText(members.Status) ?? null;
  return {
    tld: optionalText(members.TLD) ?? null,
    label: optionalText(members.DomainName) ?? null,
    status,
    state: offerState(status),
    command: leaves.command(members.Command),
    period: leaves.period(members.Period),
    premium: leaves.premium(members.IsFee),
    /** The list price when the name is taken, hence meaningless unless `AVAILABLE`. */
    price: isAbsent(members.Price) ? null : readMoney(members.Price, members.Currency, 'the price'),
    reason: leaves.reason(members.Reason),
  };
}

/** One answer to "is this name free?". */
export type Offer = ReturnType<typeof readOffer>;

/** The offers for one name: one as a rule, none when the registry makes none, or the fault that its check met. */
export type Offers = readonly Offer[] | Fault;

export const offers: Read<readonly Offer[]> = (value) =>
  Array.isArray(value) ? value.filter(isObject).map(readOffer) : undefined;

/**
 * One entry of a bulk reply: an array of offers, `{status: "error", message}`, `{result: "ERROR", error}` or `[]`.
 *
 * Whatever is no array of offers is a fault of that one name: an error never means available.
 */
const bulkEntry = (entry: unknown, refusal: (body: unknown) => Fault | null): Offers =>
  offers(entry) ?? refusal(entry) ?? unreadable('the availability of this name');

/** `{status, availability: {<domain>: entry}}`; the keys are compared in lower case. */
export const bulkAvailability = (refusal: (body: unknown) => Fault | null) =>
  objectOf(({ availability }): ReadonlyMap<string, Offers> | undefined => {
    const entries = entriesOf(availability);
    if (!entries) return undefined;
    const byName = new Map<string, Offers>();
    for (const [name, entry] of entries) {
      byName.set(name.trim().toLowerCase(), bulkEntry(entry, refusal));
    }
    return byName;
  });
