import { type DomainName, unicodeName } from '../../kernel/domain-name.ts';
import type { CalendarFeed } from './table.ts';

/** An expiry date as a calendar shows it. */
export interface Expiry {
  readonly name: DomainName;
  readonly expiresAt: Date;
  /** When the gateway found this date. */
  readonly since: Date;
}

export const mediaType = 'text/calendar; charset=utf-8';

/** Octets of a line at most, without its break. */
const maxOctets = 75;

/** A content line of RFC 5545: CRLF, and folded between two characters. */
export function contentLine(text: string): string {
  if (Buffer.byteLength(text) <= maxOctets) return `${text}\r\n`;
  let lines = '';
  let octets = 0;
  for (const character of text) {
    const size = Buffer.byteLength(character);
    if (octets + size > maxOctets) {
      lines += '\r\n ';
      octets = 1;
    }
    lines += character;
    octets += size;
  }
  return `${lines}\r\n`;
}

/** A value of the type TEXT. Names of feeds and domains have no line breaks. */
const escaped = (text: string): string => text.replace(/[\\;,]/g, '\\$&');

const lines = (...all: readonly string[]): string => all.map(contentLine).join('');

/** `2026-01-31T10:00:00.000Z` is `20260131T100000Z`. */
const utcTime = (time: Date): string => time.toISOString().replace(/[-:]|\.\d+/g, '');

function event(feed: CalendarFeed, { name, expiresAt, since }: Expiry): string {
  const unicode = unicodeName(name);
  const shown = unicode === name ? name : `${unicode} (${name})`;
  const changed = utcTime(since);
  return lines(
    'BEGIN:VEVENT',
    `UID:${name}@${feed.id}`,
    // Without METHOD both are the time of the last change.
    `DTSTAMP:${changed}`,
    `LAST-MODIFIED:${changed}`,
    // Without an end the event has one day.
    `DTSTART;VALUE=DATE:${utcTime(expiresAt).slice(0, 8)}`,
    `SUMMARY:${escaped(`${shown} expires`)}`,
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  );
}

/** A file must have a component (RFC 5545, 3.6). This one shows nothing. */
const noEvents = lines(
  'BEGIN:VTIMEZONE',
  'TZID:UTC',
  'BEGIN:STANDARD',
  'DTSTART:19700101T000000',
  'TZOFFSETFROM:+0000',
  'TZOFFSETTO:+0000',
  'END:STANDARD',
  'END:VTIMEZONE',
);

/** What the file of a feed depends on: equal facts, equal files. They take a fifth of the time of the file. */
export function* calendarFacts(
  feed: CalendarFeed,
  expiries: readonly Expiry[],
): Generator<string, void> {
  // The form of the file, which another release may change.
  yield* calendarText(feed, expiries.slice(0, 1));
  for (const { name, expiresAt, since } of expiries) {
    yield `${name} ${expiresAt.getTime()} ${since.getTime()}\n`;
  }
}

/** The file of a feed in parts: RFC 5545, with the name and the interval of RFC 7986. */
export function* calendarText(
  feed: CalendarFeed,
  expiries: readonly Expiry[],
): Generator<string, void> {
  const name = escaped(feed.name);
  yield lines(
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//reseller-graph//expiry dates//EN',
    `NAME:${name}`,
    `X-WR-CALNAME:${name}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT6H',
  );
  if (expiries.length === 0) yield noEvents;
  for (const expiry of expiries) yield event(feed, expiry);
  yield lines('END:VCALENDAR');
}
