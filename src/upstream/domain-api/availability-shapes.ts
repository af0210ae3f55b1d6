import { Fault } from '../../kernel/faults.ts';
import { isLoginRefused } from '../policies/login-pause.ts';
import { readErrorBody } from '../wire/error-codes.ts';
import {
  fieldsOf,
  flag,
  integer,
  isAbsent,
  isObject,
  isZero,
  itemsOf,
  type Members,
  map,
  objectOf,
  optional,
  optionalText,
  type Read,
  readPrice,
  unreadable,
} from '../wire/read.ts';
import { informative } from '../wire/upstream-text.ts';

/** The state of one name; `UNKNOWN` for a status that this gateway does not know. */
type OfferState = 'AVAILABLE' | 'TAKEN' | 'UNKNOWN';

/** Compared without case and blanks, because both spellings of "not available" are sent. */
const offerState = (status: string | null): OfferState => {
  const bare = status?.toLowerCase().replace(/[\s_-]+/g, '');
  return bare === 'available' ? 'AVAILABLE' : bare === 'notavailable' ? 'TAKEN' : 'UNKNOWN';
};

/** Text for people, so it is cleaned like every message. */
const reason: Read<string | null> = (value) => {
  const words = optionalText(value);
  return words && (informative(words) || null);
};

const readFields = fieldsOf({
  command: { wire: 'Command', read: optionalText },
  period: { wire: 'Period', read: optional(integer) },
  premium: { wire: 'IsFee', read: flag },
  reason: { wire: 'Reason', read: reason },
});

function readOffer(members: Members) {
  const status = optionalText(members.Status) ?? null;
  return {
    ...readFields(members),
    tld: optionalText(members.TLD) ?? null,
    label: optionalText(members.DomainName) ?? null,
    status,
    state: offerState(status),
    /** The list price when the name is taken, hence meaningless unless `AVAILABLE`. */
    price:
      isAbsent(members.Price) || isZero(members.Price)
        ? null
        : readPrice(members.Price, members.Currency, 'the price'),
  };
}

/** One offer for a name. */
export type Offer = ReturnType<typeof readOffer>;

/** The offers for one name, usually one; or the fault of its check. */
export type Offers = readonly Offer[] | Fault;

export const offersReply: Read<readonly Offer[]> = (value) =>
  itemsOf(value)?.filter(isObject).map(readOffer);

/** The refusal of one name in a bulk reply. A check changes nothing, hence `executed: NO`. */
const refusedName = (entry: unknown) =>
  readErrorBody(entry, 'bulkcheckavailability')?.with({ executed: 'NO' });

/** Retryable as the same reply to a check of the name alone. */
const unreadableEntry = unreadable('the availability of this name').with({ retryable: true });

/**
 * One entry of a bulk reply: an array of offers, `{status: "error", message}`, `{result: "ERROR", error}` or `[]`.
 *
 * An entry that is no array of offers is a fault of that one name: an error never means available.
 */
const bulkEntry = (entry: unknown): Offers =>
  offersReply(entry) ?? refusedName(entry) ?? unreadableEntry;

/** Two entries of one name, in two spellings: an error is never replaced by an offer. */
const merged = (one: Offers, other: Offers): Offers =>
  one instanceof Fault ? one : other instanceof Fault ? other : [...one, ...other];

/**
 * `{status, availability: {<domain>: entry}}`; the keys are compared in lower case.
 *
 * @throws Fault when each entry refuses the login: the upstream sends that refusal as a success with an error for each name.
 */
export const offersByNameReply = objectOf(({ availability }) => {
  const members = availability instanceof Map ? availability : map(availability);
  if (!members) return undefined;
  const byName = new Map<string, Offers>();
  for (const [key, value] of members instanceof Map ? members : Object.entries(members)) {
    const name = key.trim().toLowerCase();
    const [known, found] = [byName.get(name), bulkEntry(value)];
    byName.set(name, known ? merged(known, found) : found);
  }
  throwIfLoginRefused([...byName.values()]);
  return byName as ReadonlyMap<string, Offers>;
});

function throwIfLoginRefused([first, ...others]: readonly Offers[]): void {
  const isRefused = (offers: Offers | undefined) =>
    offers instanceof Fault && isLoginRefused(offers);
  if (first instanceof Fault && isRefused(first) && others.every(isRefused)) throw first;
}
