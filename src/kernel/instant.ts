import { quoted } from '../lib/quoted.ts';
import { Fault } from './faults.ts';

const isoDateTime =
  /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?\s*(Z|z|[+-](?:[01]\d|2[0-3]):?[0-5]\d)?$/;

export const dayMs = 86_400_000;

const isoDate = /^\d{4}-\d{2}-\d{2}$/;

/**
 * An ISO 8601 date-time. A missing zone is UTC; digits past the millisecond are read and dropped.
 *
 * @throws Fault `INVALID_INPUT` for other text, for days that no calendar has and for years past 0 to 9999.
 */
export function parseInstant(text: string): Date {
  const instant = readInstant(text.trim());
  if (!instant) throw notAnInstant(text);
  return instant;
}

/**
 * As `parseInstant`; a date alone is its midnight in UTC.
 *
 * @throws Fault `INVALID_INPUT` as `parseInstant`.
 */
export function parseDateOrInstant(text: string): Date {
  const bare = text.trim();
  const instant = readInstant(isoDate.test(bare) ? `${bare}T00:00:00Z` : bare);
  if (!instant) throw notAnInstant(text);
  return instant;
}

function readInstant(text: string): Date | null {
  const match = isoDateTime.exec(text);
  if (!match) return null;
  const [, year, month, day, hour, minute, second = '00', fraction = '', zone = 'Z'] = match;
  const asUtc = new Date(0);
  asUtc.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  // Date turns 30 February into 1 March; such a text is no instant.
  const isDay = asUtc.getUTCMonth() === Number(month) - 1 && asUtc.getUTCDate() === Number(day);
  if (!isDay || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) {
    return null;
  }
  const millisecond = Number(fraction.slice(0, 3).padEnd(3, '0'));
  asUtc.setUTCHours(Number(hour), Number(minute), Number(second), millisecond);
  const instant = new Date(asUtc.getTime() - zoneOffsetMs(zone));
  // An offset may lead past the years that ISO 8601 writes with four digits.
  const endYear = instant.getUTCFullYear();
  return endYear < 0 || endYear > 9_999 ? null : instant;
}

const notAnInstant = (text: string) =>
  new Fault('INVALID_INPUT', {
    message: `${quoted(text)} is not a date and time such as "2026-01-31T12:00:00Z".`,
  });

function zoneOffsetMs(zone: string): number {
  if (zone === 'Z' || zone === 'z') return 0;
  const sign = zone.startsWith('-') ? -1 : 1;
  return sign * (Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2))) * 60_000;
}

/** The same calendar day `years` later, in UTC; 29 February becomes 28 February. */
export function addYears(from: Date, years: number): Date {
  const date = new Date(from);
  date.setUTCFullYear(date.getUTCFullYear() + years);
  if (date.getUTCDate() !== from.getUTCDate()) date.setUTCDate(0);
  return date;
}

/** Whole days until `end`, a started day counting as one; 0 once it is past. */
export const remainingDays = (end: Date, now: Date): number =>
  Math.max(0, Math.ceil((end.getTime() - now.getTime()) / dayMs));
