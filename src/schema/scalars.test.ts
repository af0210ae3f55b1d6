import fc from 'fast-check';
import { GraphQLScalarType, parseValue } from 'graphql';
import { describe, expect, test } from 'vitest';
import { schema } from '../app/graph.ts';
import { Fault } from '../kernel/faults.ts';
import type { Decimal } from '../kernel/money.ts';

const scalar = (name: string): GraphQLScalarType => {
  const type = schema.getType(name);
  if (!(type instanceof GraphQLScalarType)) throw new Error(`${name} is no scalar.`);
  return type;
};

/** The JSON of a variable's value, or the code of its refusal. */
const read = (name: string, value: unknown) => {
  try {
    return JSON.stringify(scalar(name).parseValue(value)).replaceAll('"', '');
  } catch (error) {
    if (error instanceof Fault) return error.code;
    throw error;
  }
};
const refuses = (name: string, ...values: readonly unknown[]) =>
  values.map((value) => [name, value, 'INVALID_INPUT'] as const);
const reads = (name: string, ...rows: readonly (readonly [value: string, read: string])[]) =>
  rows.map(([value, known]) => [name, value, known] as const);

const numbers = (...rows: readonly (readonly [value: number, read: string])[]) =>
  rows.map(([value, known]) => ['Decimal', value, known] as const);

describe('a variable', () => {
  test.each([
    ...reads('DateTime', ['2026-01-31', '2026-01-31T00:00:00.000Z']),
    ...reads('DateTime', ['2026-01-31T12:30', '2026-01-31T12:30:00.000Z']),
    ...reads('DateTime', ['2026-01-31t12:30:15', '2026-01-31T12:30:15.000Z']),
    ...reads('DateTime', ['2026-01-31T12:30:15.25', '2026-01-31T12:30:15.250Z']),
    ...reads('DateTime', [' 2026-01-31T12:30:15+02:00 ', '2026-01-31T10:30:15.000Z']),
    ...reads('DateTime', ['2026-01-31T12:30:15-0330', '2026-01-31T16:00:15.000Z']),
    ...reads('DateTime', ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000Z']),
    ...refuses(
      'DateTime',
      '',
      'x2026-01-31',
      '2026-01-31x',
      '2026-02-30',
      '2026-1-31',
      '31.01.2026',
    ),
    ...refuses('DateTime', '9999-12-31T23:59:59-01:00', '0000-01-01T00:00:00+01:00', 1_769_860_800),
    ...reads(
      'CurrencyCode',
      [' usd ', 'USD'],
      ['TL', 'TRY'],
      ['ab', 'AB'],
      ['abcdefghij', 'ABCDEFGHIJ'],
    ),
    ...refuses('CurrencyCode', 'a', 'abcdefghijk', 'US1', 'U S', '', null, ['USD']),
    ...reads('Decimal', ['12.5', '12.5000'], ['-1', '-1.0000']),
    ...numbers(
      [1, '1.0000'],
      [12.5, '12.5000'],
      [-0.1, '-0.1000'],
      [0, '0.0000'],
      [1e3, '1000.0000'],
    ),
    ...numbers([123456789.012345, '123456789.012345'], [1e-7, '0.000000100000']),
    ...refuses('Decimal', '1e3', true, 0.1 + 0.2, 1234567890.123456, 1e15, 1e21, 1.5e-12),
    ...reads('DomainName', ['Bücher.example.', 'xn--bcher-kva.example']),
    ...refuses('DomainName', 'com', 5, undefined),
    ...reads('URL', ['https://example.com', 'https://example.com/']),
    ...reads('URL', ['http://example.com:8080/a?b#c', 'http://example.com:8080/a?b#c']),
    ...refuses('URL', 'example.com', 'ftp://example.com', 'https://u@example.com'),
    ...refuses('URL', 'https://:p@example.com', 'javascript:alert(1)', {}),
  ])('of the type %s with the value %j is %s', (name, value, known) => {
    expect(read(name, value)).toBe(known);
  });
});

test.each([
  ['DateTime', '"2026-01-31"', new Date('2026-01-31T00:00:00Z')],
  ['CurrencyCode', '"usd"', 'USD'],
])('a text of the type %s in a document is read as a variable: %s', (name, text, known) => {
  expect(scalar(name).parseLiteral(parseValue(text), {})).toEqual(known);
});

test('a number in a document is read digit by digit', () => {
  const literal = (text: string) => String(scalar('Decimal').parseLiteral(parseValue(text), {}));

  expect(['1', '-2.50', '1e2'].map(literal)).toEqual(['1.0000', '-2.5000', '100.0000']);
  // As a binary fraction it would be 1.
  expect(() => literal('1.0000000000000001')).toThrow('as a string');
  for (const text of ['1e-13', '1e21', '1e400']) {
    expect(() => literal(text)).toThrow(`"${text}" is not a decimal number`);
  }
});

test('a JSON number of at most 15 digits is the same as its text', () => {
  const written = fc
    .tuple(fc.boolean(), fc.integer({ min: 0, max: 1e15 - 1 }), fc.integer({ min: 0, max: 12 }))
    .map(([isNegative, digits, scale]) => {
      const padded = String(digits).padStart(scale + 1, '0');
      const point = padded.length - scale;
      const fraction = scale > 0 ? `.${padded.slice(point)}` : '';
      return `${isNegative ? '-' : ''}${padded.slice(0, point)}${fraction}`;
    });
  fc.assert(
    fc.property(written, (text) => {
      const parse = (value: unknown) => scalar('Decimal').parseValue(value) as Decimal;

      expect(parse(JSON.parse(text)).compare(parse(text))).toBe(0);
    }),
  );
});

test.each(['usd', '12', 'true', 'null', '["USD"]', '{ a: 1 }'])(
  'a value that is no text is refused in a document: %s',
  (text) => {
    expect(() => scalar('CurrencyCode').parseLiteral(parseValue(text), {})).toThrow(Fault);
  },
);

test('a refused number or boolean is in the message, and no other value', () => {
  expect(() => scalar('CurrencyCode').parseValue(12.5)).toThrow('12.5');
  expect(() => scalar('Decimal').parseValue(false)).toThrow('false');
  expect(() => scalar('Decimal').parseValue({ secret: 'word' })).not.toThrow('word');
});

test('a refused URL is not in the message, because it can contain a password', () => {
  expect(() => scalar('URL').parseValue('https://u:word@example.com')).not.toThrow('word');
});

test('times have milliseconds and are in UTC', () => {
  expect(scalar('DateTime').serialize(new Date(1_769_860_800_000))).toBe(
    '2026-01-31T12:00:00.000Z',
  );
  const { serialize } = scalar('DateTime');
  fc.assert(
    fc.property(fc.date({ noInvalidDate: true }), (date) => {
      expect(serialize(date)).toBe(date.toISOString());
    }),
  );
  expect(() => serialize(new Date(Number.NaN))).toThrow();
});
