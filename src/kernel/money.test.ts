import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Fault, parseDecimal } from './faults.ts';
import { currencyCode, Decimal, formatMoney, money } from './money.ts';

/** Decimal text as the upstream may send it, with its value in units of 10^-12. */
const decimal = fc
  .tuple(
    fc.constantFrom('', '-', '+'),
    fc.stringMatching(/^\d{1,18}$/),
    fc.option(fc.stringMatching(/^\d{1,12}$/), { nil: '' }),
  )
  .map(([sign, whole, fraction]) => ({
    text: `${sign}${whole}${fraction === '' ? '' : `.${fraction}`}`,
    units: BigInt(`${whole}${fraction.padEnd(12, '0')}`) * (sign === '-' ? -1n : 1n),
  }));

/** The value of a decimal in units of `10^-places`, independent of the code under test. */
function unitsOf(written: string, places: number): bigint {
  const isNegative = written.startsWith('-');
  const [whole = '', fraction = ''] = written.replace('-', '').split('.');
  const units = BigInt(whole + fraction.padEnd(places, '0'));
  return isNegative ? -units : units;
}

const parse = Decimal.parse;

describe('a decimal', () => {
  test.each([
    ['11.2900', '11.2900'],
    ['11.29', '11.2900'],
    ['11', '11.0000'],
    ['0', '0.0000'],
    ['-0', '0.0000'],
    ['-0.00', '0.0000'],
    ['+5', '5.0000'],
    ['007.5', '7.5000'],
    [' 1.5 ', '1.5000'],
    ['-0.0001', '-0.0001'],
    ['0.123456789012', '0.123456789012'],
    ['1.10000', '1.10000'],
    ['999999999999999999.9999', '999999999999999999.9999'],
  ])('%s is formatted as %s', (text, written) => {
    expect(parse(text).toString()).toBe(written);
    expect(JSON.stringify({ price: parse(text) })).toBe(`{"price":"${written}"}`);
  });

  test.each([
    ['', ' ', '.', '-', '1.', '.5', '--1', '+-1'],
    ['NaN', 'Infinity', '-Infinity', 'null', 'undefined'],
    ['1e5', '1E5', '1e-5', '0x1f', '0b1', '1n'],
    ['1,5', '1.234,56', '1,234.56', '1 000', '1_000', '1’000', '$5', '5 USD', '1/2'],
    ['１２', '٣', '1.5.2', '1\n2'],
    ['1234567890123456789', '0.1234567890123', '9'.repeat(10_000)],
  ])('text in another notation is refused', (...texts) => {
    for (const text of texts) {
      expect(Decimal.tryParse(text), text.slice(0, 20)).toBeNull();
      expect(() => parse(text)).toThrow(RangeError);
      expect(() => parseDecimal(text)).toThrow(Fault);
      expect(() => parseDecimal(text)).toThrow(
        /^".{0,90}" is not a decimal number such as "11.2900"\.$/s,
      );
    }
  });

  test('any text is a decimal or a Fault', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        try {
          expect(parseDecimal(text).toString()).toMatch(/^-?\d+\.\d{4,12}$/);
        } catch (error) {
          expect(error).toMatchObject({ name: 'Fault', code: 'INVALID_INPUT' });
        }
      }),
    );
  });

  test('a formatted decimal parses to the same text, with at least four decimal places', {
    tags: ['G7'],
  }, () => {
    fc.assert(
      fc.property(decimal, ({ text, units }) => {
        const written = parse(text).toString();

        expect(written).toMatch(/^-?\d+\.\d{4,12}$/);
        expect(unitsOf(written, 12)).toBe(units);
        expect(parse(written).toString()).toBe(written);
      }),
    );
  });

  test('sums, differences and products are exact', { tags: ['G7'] }, () => {
    fc.assert(
      fc.property(decimal, decimal, (a, b) => {
        const [left, right] = [parse(a.text), parse(b.text)];

        expect(unitsOf(left.plus(right).toString(), 12)).toBe(a.units + b.units);
        expect(unitsOf(left.minus(right).toString(), 12)).toBe(a.units - b.units);
        expect(unitsOf(left.times(right).toString(), 24)).toBe(a.units * b.units);
      }),
    );
  });

  test('the order is by value, whatever the number of digits', () => {
    fc.assert(
      fc.property(decimal, decimal, (a, b) => {
        const order = a.units < b.units ? -1 : a.units > b.units ? 1 : 0;

        expect(parse(a.text).compare(parse(b.text))).toBe(order);
        expect(parse(a.text).isNegative).toBe(a.units < 0n);
      }),
    );
    expect(parse('1.5').compare(parse('1.500000'))).toBe(0);
    expect([parse('-0').isNegative, parse('-0.00000001').isNegative]).toEqual([false, true]);
  });

  test('a product has at least four decimal places and no further trailing zeros', () => {
    expect(`${parse('11.2900').times(parse('2'))}`).toBe('22.5800');
    expect(`${parse('0.0001').times(parse('0.1'))}`).toBe('0.00001');
    expect(`${parse('5').times(Decimal.zero)}`).toBe('0.0000');
  });

  test.each([
    ['11.29', '2', '5.6450'],
    ['11.29', '0.92', '12.2718'],
    ['1', '3', '0.3334'],
    ['0.000000000001', '1', '0.0001'],
    ['2', '0.000000000003', '666666666666.6667'],
    ['0', '7', '0.0000'],
  ])('%s divided by %s is %s, rounded up', (amount, divisor, quotient) => {
    expect(`${parse(amount).dividedBy(parse(divisor))}`).toBe(quotient);
  });

  test.each([
    ['1', '0'],
    ['1', '-2'],
    ['-1', '2'],
  ])('%s is not divided by %s', (amount, divisor) => {
    expect(() => parse(amount).dividedBy(parse(divisor))).toThrow(RangeError);
  });

  test.each([
    ['11.29', 112_900n],
    ['0.00001', 1n],
    ['0.0001', 1n],
    ['1.10000', 11_000n],
    ['-1.10000', -11_000n],
    ['0.000100000001', 2n],
    ['0', 0n],
    ['-0.00001', 0n],
    ['-0.00019', -1n],
    ['999999999999999999', 9_999_999_999_999_999_990_000n],
  ])('%s is %s ten-thousandths, rounded up', (text, count) => {
    expect(parse(text).toTenThousandths()).toBe(count);
  });

  test('ten-thousandths are formatted exactly', () => {
    expect(`${Decimal.ofTenThousandths(112_901n)}`).toBe('11.2901');
    expect(`${Decimal.ofTenThousandths(-1n)}`).toBe('-0.0001');
  });

  test('a tenth and two tenths are three tenths', () => {
    expect(`${parse('0.1').plus(parse('0.2'))}`).toBe('0.3000');
  });
});

describe('money', () => {
  test.each([
    ['TL', 'TRY'],
    ['tl', 'TRY'],
    [' usd ', 'USD'],
    ['TRY', 'TRY'],
    ['XYZ', 'XYZ'],
  ])('the currency %j is %s', (text, code) => {
    expect(currencyCode(text)).toBe(code);
  });

  test('an amount is text or a decimal, and is formatted with its currency', () => {
    expect(formatMoney(money('11.29', 'TL'))).toBe('11.2900 TRY');
    expect(formatMoney(money(parse('-3'), 'usd'))).toBe('-3.0000 USD');
    expect(() => money('a lot', 'USD')).toThrow(RangeError);
  });
});

test('toEqual compares amounts by their value', () => {
  expect(money('10', 'USD')).toEqual(money('10.0000', 'USD'));
  expect(money('10', 'USD')).not.toEqual(money('10.0001', 'USD'));
});
