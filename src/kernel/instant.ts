import { quoted } from '../lib/quoted.ts';
import { invalidInput } from './faults.ts';

const isoDateTime =
  /^(\d{4}-\d\d-(\d\d))[T ]((?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?)\s*(?:[Zz]|([+-](?:[01]\d|2[0-3])):?([0-5]\d))?$/;

export const dayMs = 86_400_000;

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
