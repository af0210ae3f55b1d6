import { z } from 'zod';
import type { Fault } from '../../kernel/faults.ts';
import { cleanText } from '../upstream-text.ts';
import {
  anything,
  flag,
  integer,
  leaf,
  map,
  optionalText,
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
const reason = optionalText.transform((words) => cleanText(words) || null);

const availabilityEntry = z
  .object({
    TLD: optionalText.catch(null),
    DomainName: optionalText.catch(null),
    Status: optionalText.catch(null),
    Command: leaf('Command', optionalText),
    Period: leaf(
      'Period',
      integer.nullish().transform((years) => years ?? null),
    ),
    IsFee: leaf('IsFee', flag),
    Price: anything,
    Currency: anything,
    Reason: leaf('Reason', reason),
  })
  .transform((wire) => ({
    tld: wire.TLD,
    label: wire.DomainName,
    status: wire.Status,
    state: offerState(wire.Status),
    command: wire.Command,
    period: wire.Period,
    premium: wire.IsFee,
    /** The list price when the name is taken, hence meaningless unless `AVAILABLE`. */
    price:
      wire.Price === undefined || wire.Price === null || wire.Price === ''
        ? null
        : readMoney(wire.Price, wire.Currency, 'the price'),
    reason: wire.Reason,
  }));

/** One answer to "is this name free?". */
export type Offer = z.output<typeof availabilityEntry>;

/** The offers for one name: one as a rule, none when the registry makes none, or the fault that its check met. */
export type Offers = readonly Offer[] | Fault;

export const offers = z.array(z.unknown()).transform((entries): readonly Offer[] =>
  entries.flatMap((entry) => {
    const parsed = availabilityEntry.safeParse(entry);
    return parsed.success ? [parsed.data] : [];
  }),
);

/**
 * One entry of a bulk reply: an array of offers, `{status: "error", message}`, `{result: "ERROR", error}` or `[]`.
 *
 * Whatever is no array of offers is a fault of that one name: an error never means available.
 */
const bulkEntry = (refusal: (body: unknown) => Fault | null) =>
  z.unknown().transform((entry): Offers => {
    const parsed = offers.safeParse(entry);
    if (parsed.success) return parsed.data;
    return refusal(entry) ?? unreadable('the availability of this name');
  });

/** `{status, availability: {<domain>: entry}}`; the keys are compared in lower case. */
export const bulkAvailability = (refusal: (body: unknown) => Fault | null) =>
  z
    .object({
      availability: map.pipe(z.record(z.string(), bulkEntry(refusal))),
    })
    .transform(
      ({ availability }): ReadonlyMap<string, Offers> =>
        new Map(
          Object.entries(availability).map(([name, entry]) => [name.trim().toLowerCase(), entry]),
        ),
    );
