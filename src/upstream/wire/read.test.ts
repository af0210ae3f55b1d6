import { describe, expect, test } from 'vitest';
import { Fault } from '../../kernel/faults.ts';
import {
  blankAsNull,
  domainName,
  field,
  fieldsOf,
  flag,
  httpUrl,
  instant,
  integer,
  isOk,
  keyValues,
  list,
  map,
  mapOf,
  noMembers,
  objectOf,
  optional,
  optionalText,
  orBlank,
  plainText,
  readableItems,
  readMoney,
  succeeded,
  text,
  upstreamId,
} from './read.ts';

/** A reader, the values that it accepts with their results, and the values that it does not accept. */
type Case = readonly [
  name: string,
  read: (value: unknown) => unknown,
  accepted: readonly (readonly [value: unknown, read: unknown])[],
  refused: readonly unknown[],
];

const cases: readonly Case[] = [
  [
    'required text',
    text,
    [
      ['a', 'a'],
      ['', ''],
      [' ', ' '],
      [0, '0'],
      [-1.5, '-1.5'],
    ],
    [undefined, null, true, [], ['a'], {}, Number.NaN, Infinity],
  ],
  [
    'optional text',
    optionalText,
    [
      ['a', 'a'],
      [' a ', ' a '],
      ['', null],
      [' ', null],
      [null, null],
      [undefined, null],
      [0, '0'],
    ],
    [true, [], {}, Number.NaN],
  ],
  [
    'text that is no number',
    plainText,
    [
      ['a', 'a'],
      ['', ''],
    ],
    [1, null, undefined, ['a']],
  ],
  [
    'a flag',
    flag,
    [
      [true, true],
      [false, false],
      ['true', true],
      ['FALSE', false],
      [' True ', true],
    ],
    ['', 'yes', '1', '0', 1, 0, null, undefined, [], {}, [true]],
  ],
  [
    'an integer of 32 bits',
    integer,
    [
      [0, 0],
      [-7, -7],
      ['12', 12],
      ['-12', -12],
      [2_147_483_647, 2_147_483_647],
      ['-2147483648', -2_147_483_648],
      ['0000000007', 7],
    ],
    [
      2_147_483_648,
      '2147483648',
      '00000000007',
      1.5,
      '1.5',
      '',
      ' 1',
      '1 ',
      '+1',
      '1e3',
      true,
      null,
      undefined,
      [],
      ['1'],
      {},
    ],
  ],
  [
    'an id',
    upstreamId,
    [
      [7, 7],
      ['7', 7],
      [-1, -1],
      [0, null],
      ['0', null],
      ['', null],
      [' ', null],
      [null, null],
      [undefined, null],
      [3_000_000_001, null],
      ['-3000000001', null],
      ['12345678901234567890', null],
    ],
    ['a', 1.5, true, [], {}],
  ],
  [
    'a time',
    instant,
    [['2026-01-31T12:00:00', new Date('2026-01-31T12:00:00Z')]],
    ['', 'soon', '2026-02-30T00:00:00', 1_769_860_800, null, undefined, new Date()],
  ],
  [
    'a flag that "" leaves open',
    orBlank(flag),
    [
      ['', null],
      [' ', null],
      [false, false],
    ],
    [null, undefined, 'maybe', 0],
  ],
  [
    'an optional flag that "" leaves open',
    blankAsNull(optional(flag)),
    [
      ['', null],
      [undefined, null],
      ['true', true],
    ],
    ['maybe', 0],
  ],
  [
    'the readable items of a list',
    readableItems(plainText),
    [
      [[], []],
      [
        ['a', null, '', ' ', 7, {}, 'b'],
        ['a', 'b'],
      ],
      [[null, ''], []],
      [{ 0: 'a', 2: 'b' }, ['a', 'b']],
    ],
    [[7], [null, []], {}, { 0: 'a', b: 'b' }, 'a', null, undefined],
  ],
  [
    'an optional flag',
    optional(flag),
    [
      [null, null],
      [undefined, null],
      [false, false],
    ],
    ['', 'maybe', 0],
  ],
  [
    'a list',
    list(flag),
    [
      [[], []],
      [
        [true, 'false'],
        [true, false],
      ],
      [{ 11: 'false', 3: true }, [true, false]],
    ],
    [
      [true, 'maybe'],
      [null],
      null,
      undefined,
      {},
      { 0: true, x: true },
      { '-1': true },
      'true',
      true,
    ],
  ],
  [
    'a map',
    map,
    [
      [{ a: 1 }, { a: 1 }],
      [{}, {}],
      [[], noMembers],
      [null, noMembers],
      [undefined, noMembers],
    ],
    [[1], [{}], '', 'a', 0, true],
  ],
  [
    'the members of a map',
    mapOf(({ a }) => a),
    [[{ a: 1 }, 1]],
    [{}, [], null, undefined, [{ a: 1 }], 'a', true],
  ],
  [
    'the members of an object',
    objectOf(({ a }) => a ?? 'none'),
    [
      [{ a: 1 }, 1],
      [{}, 'none'],
    ],
    [[], null, undefined, [1], 'a', true],
  ],
  [
    'a success',
    succeeded(({ a }) => a),
    [
      [{ result: 'OK', a: 1 }, 1],
      [{ result: ' ok ', a: 1 }, 1],
    ],
    [
      { result: 'ERROR', a: 1 },
      { a: 1 },
      { result: true, a: 1 },
      { result: ['OK'], a: 1 },
      [],
      null,
    ],
  ],
  [
    'key-value pairs',
    keyValues,
    [
      [[], []],
      [null, []],
      [
        { a: 'text', b: 1, c: { d: true } },
        [
          { key: 'a', value: 'text' },
          { key: 'b', value: '1' },
          { key: 'c', value: '{"d":true}' },
        ],
      ],
    ],
    ['a', 1, [1]],
  ],
  [
    'a URL of a page',
    httpUrl,
    [
      ['https://a.example/b?c#d', 'https://a.example/b?c#d'],
      ['http://a.example', 'http://a.example/'],
    ],
    [
      ...['javascript:alert(1)', 'data:text/html,x', 'ftp://a.example', '/a.png', 'a.png', ''],
      ...['https://user@a.example', 'https://:secret@a.example', null, undefined, 1, {}],
    ],
  ],
];

describe.each(cases)('%s', (_, read, accepted, refused) => {
  test.each(accepted)('is read from %j as %j', (value, expected) => {
    expect(read(value)).toEqual(expected);
  });

  test.each(refused.map((value) => [value]))('is not read from %j', (value) => {
    expect(read(value)).toBeUndefined();
  });
});

test('an empty map is the same object each time', () => {
  expect([map([]), map(null), map(undefined)].every((value) => value === noMembers)).toBe(true);
  expect(map({})).not.toBe(noMembers);
});

test.each([
  ['OK', true],
  [' ok\n', true],
  ['OKAY', false],
  ['', false],
  [true, false],
  [undefined, false],
])('the result %j is a success: %j', (value, is) => {
  expect(isOk(value)).toBe(is);
});

test.each([
  ['Example.COM', 'example.com'],
  ['', null],
  ['no name', null],
  [null, null],
  [7, null],
  [['a.com'], null],
])('the domain name %j is read as %j', (value, name) => {
  expect(domainName(value)).toBe(name);
});

describe('an amount with its currency', () => {
  const read = (amount: unknown, currency: unknown) => {
    const result = readMoney(amount, currency, 'the price');
    return result instanceof Fault ? result.code : JSON.parse(JSON.stringify(result));
  };

  test.each([
    ['11.2900', 'USD', '11.2900', 'USD'],
    [9, 'USD', '9.0000', 'USD'],
    [-3.5, 'TL', '-3.5000', 'TRY'],
    // 16 characters, the longest number that is exact.
    [12_345_678_901.1234, 'USD', '12345678901.1234', 'USD'],
    ['0', 'usd', '0.0000', 'USD'],
  ])('%j %s is %s %s', (amount, currency, digits, code) => {
    expect(read(amount, currency)).toEqual({ amount: digits, currency: code });
  });

  test.each([
    [123_456_789_012.1234, 'USD'],
    [1e21, 'USD'],
    ['', 'USD'],
    ['free', 'USD'],
    [null, 'USD'],
    [undefined, 'USD'],
    [['1.00'], 'USD'],
    [true, 'USD'],
    ['1.00', ''],
    ['1.00', ' '],
    ['1.00', null],
    ['1.00', undefined],
    ['1.00', 840],
    ['1.00', ['USD']],
  ])('%j %j is a fault of that field', (amount, currency) => {
    expect(read(amount, currency)).toBe('UPSTREAM_PROTOCOL');
  });
});

describe('a field', () => {
  test('that cannot be read is a fault with its name, and without its value', () => {
    const fault = field('the colour', flag)('secret');

    expect(fault).toMatchObject({ code: 'UPSTREAM_PROTOCOL', executed: 'NO' });
    expect((fault as Fault).message).toContain('the colour');
    expect((fault as Fault).message).not.toContain('secret');
  });

  test('that is null, false or 0 is read', () => {
    expect(field('x', optional(flag))(null)).toBeNull();
    expect(field('x', flag)(false)).toBe(false);
    expect(field('x', integer)(0)).toBe(0);
  });

  test('of an object fails alone, under its label or its name on the wire', () => {
    const read = fieldsOf({
      good: { wire: 'Good', read: flag },
      odd: { wire: 'Odd', read: flag },
      named: { wire: 'Named', read: flag, label: 'the name' },
    });

    const { good, odd, named, ...rest } = read({ Good: true, Odd: 1, More: 2 });

    expect(good).toBe(true);
    expect((odd as Fault).message).toContain(' Odd');
    expect((named as Fault).message).toContain('the name');
    expect(rest).toEqual({});
  });
});
