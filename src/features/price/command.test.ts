import { expect, test } from 'vitest';
import { tldWith } from '../../../test/support/modules/tlds.ts';
import { check, show } from './command.ts';
import { parsePrices } from './file.ts';
import { createPriceList } from './list.ts';

const now = new Date('2026-11-25T00:00:00Z');
const tlds = [tldWith('com'), tldWith('net', { price: '12' })];
const listOf = (file: object) => createPriceList(parsePrices(JSON.stringify(file), now));
const rateOf = (asOf: string, rate = '0.9') => [{ from: 'USD', to: 'EUR', rate, asOf }];
const veryHigh = { margin: '9'.repeat(18), currency: 'EUR' };
const inEuro = { margin: '30', currency: 'EUR' };

test.each([
  [{ rules: [{ margin: '30' }] }, true, '4 of 4 costs have a price.'],
  [{ rules: [{ margin: '30', tlds: ['com'] }] }, true, 'no price for 2, because no rule matches:'],
  [{ rules: [{ margin: '-5' }] }, false, 'because the rule would sell below the cost'],
  [{ rules: [inEuro] }, false, 'because the file has no rate'],
  [{ rules: [inEuro], rates: rateOf('2026-11-17') }, false, 'because the rate is older'],
  [
    { rules: [veryHigh], rates: rateOf('2026-11-24', '1000') },
    ...([false, 'because the price has more than 18'] as const),
  ],
])('a check of %j is complete: %s', (file, isComplete, sentence) => {
  const found = check(listOf(file), tlds, now);

  expect(found).toEqual({ isComplete, text: expect.stringContaining(sentence) });
});

test('a check names each cost without a price up to 20 of a kind, below the prices of each rule', () => {
  const many = Array.from({ length: 11 }, (_, at) => tldWith(`x${String.fromCharCode(97 + at)}`));
  const rules = [
    { margin: '30', tlds: ['net'] },
    { margin: '20', tlds: ['com'] },
  ];

  const lines = check(listOf({ rules }), [...tlds, ...many], now).text.split('\n');

  expect(lines.slice(0, 4)).toEqual([
    ...['rule 1: 2 prices', 'rule 2: 2 prices', 'no price for 22, because no rule matches:'],
    '  .xa REGISTRATION 1, cost 10.0000 USD',
  ]);
  expect(lines.slice(-2)).toEqual(['  and 2 more', '4 of 26 costs have a price.']);
  expect(lines).toHaveLength(3 + 20 + 2);
});

test('the prices of a TLD have the cost, the margin and the rule', () => {
  const shown = show(
    listOf({ rules: [{ margin: '30', tlds: ['net'] }] }),
    tlds,
    ['.NET', 'com'],
    now,
  );

  expect(shown.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
    ['TLD, operation, years', 'cost', 'price', 'margin', 'rule'],
    ['.net REGISTRATION 1', '12.0000 USD', '15.6000 USD', '3.6000 USD', 'rule 1'],
    ['.net RENEWAL 1', '12.0000 USD', '15.6000 USD', '3.6000 USD', 'rule 1'],
    ['.com REGISTRATION 1', '10.0000 USD', 'none: no rule matches'],
    ['.com RENEWAL 1', '10.0000 USD', 'none: no rule matches'],
  ]);
  expect(() => show(listOf({ rules: [] }), tlds, ['org'], now)).toThrow('does not sell "org"');
});
