import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestGateway } from '../../support/gateway.ts';
import { read } from './reads.ts';

const gateway = await startTestGateway({ sandboxDomains: 40, env: { TLD_MAX_AGE_SECONDS: '600' } });
afterAll(() => gateway.close());
// The price list shows the period of a price.
beforeAll(() => read(gateway, '{ tlds(first: 1) { totalCount } }'));

const fields = `state available premium price { amount currency } period command status reason
  errorCode retryable`;

const check = (name: string, selection = fields) =>
  read(gateway, `{ it: availability(name: ${JSON.stringify(name)}) { ${selection} } }`).then(
    ({ it }) => it,
  );

const free = {
  state: 'AVAILABLE',
  available: true,
  premium: false,
  period: 1,
  command: 'create',
  status: 'available',
  reason: null,
  errorCode: null,
  retryable: false,
};
const taken = {
  ...free,
  state: 'TAKEN',
  available: false,
  price: null,
  period: null,
  status: 'notavailable',
};

test.each([
  ['a free name has its price', 'not-registered.com', { ...free, price: usd('11.2900') }],
  ['a price in liras is TRY', 'not-registered.gen.tr', { ...free, price: tl('149.0000') }],
  ['a taken name has no price', 'google.com', { ...taken, reason: 'Domain exists' }],
  ['a domain in the account is taken', 'private-demo.net', { ...taken, reason: 'Domain exists' }],
  ['a reserved name is taken', 'example.com', { ...taken, reason: 'Domain reserved' }],
  [
    'a premium name has its own price',
    'casino.com',
    {
      ...free,
      premium: true,
      price: { amount: expect.stringMatching(/\.0000$/), currency: 'USD' },
    },
  ],
])('%s', async (_what, name, expected) => {
  expect(await check(name)).toEqual(expected);
});

test('the price of a premium name differs from the list price, and is the same in single and bulk checks', async () => {
  const alone = await check('casino.com', 'price { amount }');
  const { bulk } = await read(
    gateway,
    '{ bulk: availabilities(names: ["casino.com", "not-registered.com"]) { price { amount } } }',
  );

  expect(alone.price.amount).not.toBe('11.2900');
  expect(bulk).toEqual([alone, { price: { amount: '11.2900' } }]);
});

describe('a name is returned as its A-label and in Unicode unless it is a lookalike:', {
  tags: ['G3'],
}, () => {
  test.each([
    ['Straße-Für-Alle.COM.', 'xn--strae-fr-alle-edb25b.com', 'straße-für-alle.com', false],
    ['аррӏе.com', 'xn--80ak6aa92e.com', 'xn--80ak6aa92e.com', true],
    ['раураl.com', 'xn--l-7sba6dbr.com', 'xn--l-7sba6dbr.com', true],
    ['оса.рф', 'xn--80a1aj.xn--p1ai', 'оса.рф', false],
  ])('%s', async (spelling, name, unicodeName, lookalike) => {
    expect(await check(spelling, 'name unicodeName lookalike')).toEqual({
      name,
      unicodeName,
      lookalike,
    });
  });
});

function usd(amount: string) {
  return { amount, currency: 'USD' };
}

function tl(amount: string) {
  return { amount, currency: 'TRY' };
}
