import { quoted } from '../lib/text.ts';
import { invalidInput } from './faults.ts';

const isoDateTime =
  /^(\d{4}-\d\d-(\d\d))[T ]((?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?)\s*(?:[Zz]|([+-](?:[01]\d|2[0-3])):?([0-5]\d))?$/;

export const dayMs = 86_400_000;
/** Ten years, for which a domain is registered at most. */
export const longestTermDays = 3_650;

/**
 * An ISO 8601 date-time. A missing zone is UTC; digits past the millisecond are read and dropped.
 *
 * @throws Fault `INVALID_INPUT` for other text, for days that no calendar has and for years past 0 to 9999.
 */
export function parseInstant(text: string): Date {
  const instant = tryParseInstant(text);
  if (instant) return instant;
  throw invalidInput(`${quoted(text)} is not a date and time such as "2026-01-31T12:00:00Z".`);
}

/** A span of time. An absent end has no bound. */
export interface TimeSpan {
  readonly from?: Date | null | undefined;
  /** Exclusive. */
  readonly until?: Date | null | undefined;
}

/** @throws Fault `INVALID_INPUT` for a span that contains no time. `path` is that of the span in the arguments. */
export function checkSpan({ from, until }: TimeSpan, path: readonly string[]): void {
  if (!from || !until || from < until) return;
  throw invalidInput(
    `A time span must end after its start; ${until.toISOString()} is not after ${from.toISOString()}.`,
    { path: [...path, 'until'] },
  );
}

/** Registrations began in 1985. A registrar writes an earlier date, such as 0001-01-01 or 1970-01-01, for none. */
const firstYear = 1985;

const firstMs = Date.UTC(firstYear, 0);

export const isNoDate = (date: Date): boolean => date.getTime() < firstMs;

/** Whether the text has a year that is none, also as a day that no calendar has, such as `0000-00-00`. */
export const isNoDateText = (text: string): boolean => {
  const [, year] = /^\s*(-?\d{4,6})-\d\d-\d\d/.exec(text) ?? [];
  return year !== undefined && Number(year) < firstYear;
};

/** As `parseInstant`, but null for other text. */
export function tryParseInstant(text: string): Date | null {
  const match = isoDateTime.exec(text.trim());
  if (!match) return null;
  const [, date, day, time, hours, minutes] = match;
  // Date turns 30 February into 2 March; such a text is no instant.
  const mayOverflow = Number(day) > 28;
  if (mayOverflow && new Date(`${date}T00:00Z`).getUTCDate() !== Number(day)) return null;
  const instant = new Date(`${date}T${time}${hours ? `${hours}:${minutes}` : 'Z'}`);
  // An offset may lead past the years that ISO 8601 writes with four digits.
  const endYear = instant.getUTCFullYear();
  return endYear >= 0 && endYear <= 9_999 ? instant : null;
}

/** Two reads confirm each other when they are this far apart. The upstream must show a write that it carried out within this time. */
export const readsApartMs = 5_000;

/** A purchase, or a change of a domain, ends when reads or attempts have not succeeded for so long. */
export const givenUpAfterMs = 15 * 60_000;

/** A row without the job that it is written before is younger, also when a gateway whose clock is hours late wrote it. */
export const orphanAfterMs = dayMs;

/** How long data of the upstream is cached. */
export interface MaxAges {
  readonly tldsMs: number;
  readonly domainsMs: number;
  readonly availabilityMs: number;
}

export const defaultMaxAges: MaxAges = {
  tldsMs: 600_000,
  domainsMs: 10_000,
  availabilityMs: 3_000,
};
