import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseCsv } from '../../../test/support/csv.ts';
import { readCsv, withoutFormula } from '../../lib/csv.ts';
import { csvRecord } from './table.ts';

/** Texts with many characters that have a meaning in CSV or in a spreadsheet. */
const text = fc.string({
  unit: fc.oneof(fc.constantFrom(...'=+-@\t\r\n\0",\';＝＠ a1é'), fc.string({ unit: 'grapheme' })),
  maxLength: 12,
});

describe('a record', () => {
  test('has the same cells after a parser of RFC 4180 has read it, for any text', () => {
    const records = fc
      .integer({ min: 1, max: 6 })
      .chain((columns) =>
        fc.array(fc.array(text, { minLength: columns, maxLength: columns }), { minLength: 1 }),
      );
    fc.assert(
      fc.property(records, (cells) => {
        expect(parseCsv(cells.map(csvRecord).join(''))).toEqual(cells);
      }),
    );
  });

  test('of a file that is imported again has the same cells, for any text', async () => {
    // The importer refuses the character U+0000, and removes blanks around a cell.
    const cell = text.map((one) => one.replaceAll('\0', ''));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(cell, cell), { minLength: 1 }), async (cells) => {
        const file = [['name', 'customer'], ...cells.map((row) => row.map(withoutFormula))];
        const bytes = new TextEncoder().encode(file.map(csvRecord).join(''));
        const read: (readonly string[])[] = [];
        for await (const row of readCsv(Readable.from([bytes]))) read.push(row.cells);
        expect(read.slice(1)).toEqual(cells);
      }),
    );
  });

  test('ends with CRLF and quotes only cells that need it', () => {
    expect(csvRecord(['a b', 'c;d', 'e,f', 'g"h', 'i\nj', 'k\rl', ''])).toBe(
      'a b,"c;d","e,f","g""h","i\nj","k\rl",\r\n',
    );
  });
});

describe('a text for a spreadsheet', () => {
  test('differs from the text by an apostrophe at its start, and only for the start of a formula', () => {
    const dangerous = /^'*[=+\-@\t\r\n\0＝＋－＠]/;
    fc.assert(
      fc.property(text, (value) => {
        expect(withoutFormula(value)).toBe(dangerous.test(value) ? `'${value}` : value);
      }),
    );
  });

  test.each([
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '\n=1',
    '\0=1',
    '＝1',
    '＋1',
    '－1',
    '＠A1',
  ])('never begins with the first character of %j', (formula) => {
    expect(withoutFormula(formula)).toBe(`'${formula}`);
  });

  test.each(['', 'a=1', ' =1', "'a", '1-1', 'ns1.example.com', '.com'])(
    'is unchanged without the start of a formula: %j',
    (plain) => {
      expect(withoutFormula(plain)).toBe(plain);
    },
  );
});
