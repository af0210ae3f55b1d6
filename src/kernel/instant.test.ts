import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Fault } from './faults.ts';
import { parseInstant } from './instant.ts';

const read = (text: string) => parseInstant(text).toISOString();

/** Times in the years 0 to 9999, which ISO 8601 writes with four digits. */
const moment = fc.date({
  min: new Date('0000-01-01T00:00:00.000Z'),
  max: new Date('9999-12-31T23:59:59.999Z'),
  noInvalidDate: true,
});

describe('an instant', () => {
  test.each([
    ['without a zone is UTC', '2026-01-31T12:00:00', '2026-01-31T12:00:00.000Z'],
    ['with Z', '2026-01-31T12:00:00Z', '2026-01-31T12:00:00.000Z'],
    ['with a blank for the T', '2026-01-31 12:00:00', '2026-01-31T12:00:00.000Z'],
    ['without seconds', '2026-01-31T12:00', '2026-01-31T12:00:00.000Z'],
    ['of seven digits', '2026-01-31T12:00:00.1234567', '2026-01-31T12:00:00.123Z'],
    ['of seven digits is not rounded', '2026-12-31T23:59:59.9999999Z', '2026-12-31T23:59:59.999Z'],
    ['of one digit', '2026-01-31T12:00:00.5Z', '2026-01-31T12:00:00.500Z'],
    ['east of UTC', '2026-01-31T01:30:00+03:00', '2026-01-30T22:30:00.000Z'],
    ['west of UTC', '2026-01-31T23:30:00-0330', '2026-02-01T03:00:00.000Z'],
    ['at the farthest offset', '2026-01-31T12:00:00+14:00', '2026-01-30T22:00:00.000Z'],
    ['on a leap day', '2028-02-29T00:00:00Z', '2028-02-29T00:00:00.000Z'],
    ['with blanks around it', ' 2026-01-31T12:00:00Z ', '2026-01-31T12:00:00.000Z'],
  ])('%s', (_what, text, iso) => {
    expect(read(text)).toBe(iso);
  });

  test.each([
    ['30 February', '2026-02-30T12:00:00Z'],
    ['29 February of a common year', '2026-02-29T12:00:00Z'],
    ['31 April', '2026-04-31T12:00:00Z'],
    ['month 13', '2026-13-01T00:00:00Z'],
    ['month 0', '2026-00-01T00:00:00Z'],
    ['hour 24', '2026-01-31T24:00:00Z'],
    ['minute 60', '2026-01-31T12:60:00Z'],
    ['second 60', '2026-01-31T23:59:60Z'],
    ['an offset of a hundred hours', '2026-01-31T12:00:00+99:00'],
    ['an offset of 24 hours', '2026-01-31T12:00:00+24:00'],
    ['an offset with 60 minutes', '2026-01-31T12:00:00+01:60'],
    ['before the year 0', '0000-01-01T00:00:00+01:00'],
    ['after the year 9999', '9999-12-31T23:59:59-01:00'],
    ['a day alone', '2026-01-31'],
    ['the MySQL zero date', '0000-00-00 00:00:00'],
    ['a count of seconds', '1769860800'],
    ['a local form', '31.01.2026 12:00'],
    ['a named zone', '2026-01-31T12:00:00 CET'],
    ['more behind it', '2026-01-31T12:00:00Z and more'],
    ['words', 'now'],
    ['nothing', ''],
  ])('%s is refused', (_what, text) => {
    expect(() => parseInstant(text)).toThrow(Fault);
    expect(() => parseInstant(text)).toThrow(/ is not a date and time such as /);
  });

  test('a time that JavaScript formats is parsed to the same time', () => {
    fc.assert(
      fc.property(moment, (date) => {
        expect(parseInstant(date.toISOString())).toEqual(date);
      }),
    );
  });

  test('any text is an instant of 24 characters or a Fault', () => {
    const digits = fc.string({
      unit: fc.constantFrom('0', '1', '2', '9'),
      minLength: 4,
      maxLength: 4,
    });
    const nearly = fc
      .tuple(
        digits,
        fc.nat(13),
        fc.nat(32),
        fc.nat(25),
        fc.constantFrom('', 'Z', '+99:99', '-12:00', '+0000'),
      )
      .map(([year, month, day, hour, zone]) => {
        const two = (part: number) => String(part).padStart(2, '0');
        return `${year}-${two(month)}-${two(day)}T${two(hour)}:00:00${zone}`;
      });

    fc.assert(
      fc.property(fc.oneof(nearly, fc.string()), (text) => {
        try {
          expect(read(text)).toHaveLength(24);
        } catch (error) {
          expect(error).toMatchObject({ name: 'Fault', code: 'INVALID_INPUT' });
        }
      }),
    );
  });
});
