import fc from 'fast-check';
import ical from 'ical.js';
import { sync } from 'node-ical';
import { expect, test } from 'vitest';
import { runs } from '../../../test/support/long.ts';
import { parseDomainName } from '../../kernel/domain-name.ts';
import { calendarText, contentLine, type Expiry } from './icalendar.ts';
import type { CalendarFeed } from './table.ts';

const feed: CalendarFeed = {
  ...{ id: 'f-1', customer: null, name: 'Names; a, b \\ c', labels: [], createdAt: new Date(0) },
};
const expiry = (name: string, date = '2027-02-28T23:30:00.000Z'): Expiry => ({
  ...{ name: parseDomainName(name), expiresAt: new Date(date) },
  since: new Date('2026-11-28T10:15:30.999Z'),
});
const textOf = (...expiries: readonly Expiry[]) => [...calendarText(feed, expiries)].join('');
const linesOf = (text: string) => text.split('\r\n').slice(0, -1);

test('an event is the day of the expiry in UTC, and never changes while the date is the same', () => {
  expect(linesOf(textOf(expiry('example.com')))).toEqual([
    ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//reseller-graph//expiry dates//EN'],
    ...['NAME:Names\\; a\\, b \\\\ c', 'X-WR-CALNAME:Names\\; a\\, b \\\\ c'],
    'REFRESH-INTERVAL;VALUE=DURATION:PT6H',
    ...['BEGIN:VEVENT', 'UID:example.com@f-1'],
    ...['DTSTAMP:20261128T101530Z', 'LAST-MODIFIED:20261128T101530Z'],
    ...['DTSTART;VALUE=DATE:20270228', 'SUMMARY:example.com expires', 'TRANSP:TRANSPARENT'],
    ...['END:VEVENT', 'END:VCALENDAR'],
  ]);
});

test('a file without domains has a component all the same, which two libraries read', () => {
  const text = textOf();

  const [component, ...others] = new ical.Component(ical.parse(text)).getAllSubcomponents();
  expect([component?.name, others]).toEqual(['vtimezone', []]);
  expect(Object.values(sync.parseICS(text)).map((one) => one?.type)).not.toContain('VEVENT');
});

test('a name with other letters has both forms, and a deceptive one only that of ASCII', () => {
  const summaries = linesOf(textOf(expiry('bücher.example'), expiry('аррӏе.com')));

  expect(summaries.filter((line) => line.startsWith('SUMMARY'))).toEqual([
    'SUMMARY:bücher.example (xn--bcher-kva.example) expires',
    'SUMMARY:xn--80ak6aa92e.com expires',
  ]);
});

test('any text is the same after a reader has unfolded it, and no line has more than 75 octets', () => {
  const unit = fc.constantFrom(...'aé漢😀 :;,');
  // Texts of the default size fit into one line.
  const text = fc.string({ unit, maxLength: 400, size: 'max' });
  fc.assert(
    fc.property(text, (value) => {
      const folded = contentLine(`SUMMARY:${value}`);

      expect(folded.replaceAll('\r\n ', '')).toBe(`SUMMARY:${value}\r\n`);
      for (const line of linesOf(folded)) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    }),
  );
});

/** No exceptions, which `ical.js` searches for in all other events. */
const alone = { exceptions: [] };

const domains = runs(500, 5_000);

test(`two calendar libraries read the names and dates of ${domains} domains`, () => {
  const letters = ['plain', 'bücher', '例え', 'ñandú', 'a'.repeat(50)];
  const names = Array.from(
    { length: domains },
    (_, at) =>
      `${letters[at % letters.length]}-${at}.${'sub-domain-of-some-length.'.repeat(at % 6)}com`,
  );
  const dates = names.map((_, at) => new Date(Date.UTC(2027, 0, 1 + at, 23, 59)).toISOString());
  const expiries = names.map((name, at) => expiry(name, dates[at]));
  const text = textOf(...expiries);
  const expected = expiries.map(({ name, expiresAt }, at) => [
    `${name}@f-1`,
    expiresAt.toISOString().slice(0, 10),
    names[at],
  ]);

  const byIcal = new ical.Component(ical.parse(text))
    .getAllSubcomponents('vevent')
    .map((component) => {
      const { uid, startDate, duration, summary } = new ical.Event(component, alone);
      expect([startDate.isDate, duration.toSeconds()]).toEqual([true, 86_400]);
      return [uid, startDate.toString(), summary.split(' ')[0]];
    });
  const all = sync.parseICS(text);
  const byNode = Object.values(all).flatMap((event) => {
    if (event?.type !== 'VEVENT') return [];
    const { uid, start, datetype, summary } = event;
    expect(datetype).toBe('date');
    const day = [start.getFullYear(), start.getMonth() + 1, start.getDate()];
    const date = day.map((part) => String(part).padStart(2, '0')).join('-');
    return [[uid, date, String(summary).split(' ')[0]]];
  });

  expect(all.vcalendar).toMatchObject({ 'WR-CALNAME': feed.name });
  expect(byIcal).toEqual(expected);
  expect(byNode).toEqual(expected);
});
