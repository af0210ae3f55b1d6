import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { csvObjects, parseCsv } from '../../../test/support/csv.ts';
import { Fault } from '../../kernel/faults.ts';
import { Decimal } from '../../kernel/money.ts';
import { type Cell, createTable, csv, jsonLines, type TableColumns, textOf } from './table.ts';

const facts = { asOf: new Date(0), complete: true };

/** A clock by which every look at the time takes as long. */
const clockWith = (lookMs: number) => {
  let nowMs = 0;
  const clock = {
    waits: 0,
    monotonicMs() {
      nowMs += lookMs;
      return nowMs;
    },
    wait: async () => {
      clock.waits += 1;
    },
  };
  return clock;
};

const collect = async (parts: AsyncIterable<string>) => {
  const all: string[] = [];
  for await (const part of parts) all.push(part);
  return all;
};

const one: TableColumns<Cell> = { value: (cell) => cell };
const textOfCells = async (cells: readonly Cell[], format = csv) =>
  (await collect(textOf(createTable(one, cells, facts), format, clockWith(0)))).join('');

const text = fc.string({ unit: fc.oneof(fc.constantFrom(...'=+-@\t\r\n",\'a '), fc.string()) });

describe('a CSV file', () => {
  test('has every text as it was, but for an apostrophe before the start of a formula', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(text), async (texts) => {
        const values = csvObjects(await textOfCells(texts)).map(({ value }) => value);
        expect(values.map((value, at) => (value === `'${texts[at]}` ? texts[at] : value))).toEqual(
          texts,
        );
        for (const value of values) expect(value).not.toMatch(/^[=+\-@\t\r]/);
      }),
    );
  });

  test.each<[Cell, string]>([
    [null, ''],
    [true, 'true'],
    [false, 'false'],
    [0, '0'],
    [-7, '-7'],
    [Decimal.parse('-11.29'), '-11.2900'],
    [new Date('2026-01-31T10:00:00.123Z'), '2026-01-31T10:00:00.123Z'],
    [[], ''],
    [['ns1.a.net', 'ns2.a.net'], 'ns1.a.net ns2.a.net'],
    [['=1', '+2'], "'=1 +2"],
    ['-7', "'-7"],
  ])('writes %j as %s', async (cell, written) => {
    expect(parseCsv(await textOfCells([cell]))).toEqual([['value'], [written]]);
  });
});

describe('a file of JSON Lines', () => {
  test('has the same texts and one line per row', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(text), async (texts) => {
        const lines = (await textOfCells(texts, jsonLines)).split('\n');
        expect(lines.pop()).toBe('');
        expect(lines.map((line) => JSON.parse(line))).toEqual(texts.map((value) => ({ value })));
      }),
    );
  });

  test.each<[Cell, unknown]>([
    [null, null],
    [true, true],
    [7, 7],
    [Decimal.parse('-11.29'), '-11.2900'],
    [new Date('2026-01-31T10:00:00.123Z'), '2026-01-31T10:00:00.123Z'],
    [['ns1.a.net'], ['ns1.a.net']],
  ])('writes %j as %j', async (cell, value) => {
    expect(JSON.parse(await textOfCells([cell], jsonLines))).toEqual({ value });
  });
});

describe('a table', () => {
  test('has null for a field with a fault', async () => {
    const columns: TableColumns<number> = {
      a: () => new Fault('UPSTREAM_PROTOCOL'),
      b: (row) => row,
    };
    const parts = textOf(createTable(columns, [1], facts), jsonLines, clockWith(0));

    expect(await collect(parts)).toEqual(['{"a":null,"b":1}\n']);
  });

  test('lets other requests run after each half millisecond', async () => {
    const clock = clockWith(0.25);
    const rows = Array.from({ length: 100 }, (_, at) => at);
    await collect(textOf(createTable(one, rows, facts), csv, clock));

    // There is a look after each row.
    expect(clock.waits).toBe(50);
  });

  test('is read only as far as its text was taken, in parts of about 16 KB', async () => {
    let taken = 0;
    function* rows() {
      for (; taken < 1_000; ) {
        taken += 1;
        yield 'a'.repeat(998);
      }
    }
    const parts = textOf(createTable(one, rows(), facts), csv, clockWith(0));

    expect(taken).toBe(0);
    expect((await parts.next()).value).toHaveLength('value\r\n'.length + 17_000);
    expect(taken).toBe(17);
    expect((await parts.next()).value).toHaveLength(17_000);
    expect(taken).toBe(34);
  });
});
