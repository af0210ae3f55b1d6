import { afterAll, beforeEach, expect, test } from 'vitest';
import { startRecordedGateway } from '../writes/recorded-gateway.ts';

// Price lists that the sandbox never sends. It refuses the period 0, so `transferdomain` has a canned reply too.
const { gateway, seen, replyNext, close } = await startRecordedGateway();
afterAll(() => close());
beforeEach(() => {
  seen.length = 0;
});

let transfers = 0;
const nextDomain = () => `outside-period-${++transfers}.com`;

/** Lists `.com` with these prices of transfers, for registrations of two years and more. */
function list(transfer: object): void {
  const row = {
    ...{ id: 1, status: 'Active', tld: 'com', minchar: 2, maxchar: 63, minperiod: 2, maxperiod: 5 },
    pricing: { registration: { 2: '20' }, transfer },
    currencies: { registration: 'USD', transfer: 'USD' },
  };
  replyNext({
    status: 200,
    body: JSON.stringify({ result: 'OK', data: [row] }),
    action: 'tldlist',
  });
}

const accept = () => replyNext({ status: 200, body: '{"result":"OK"}', action: 'transferdomain' });
const sentPeriods = () =>
  seen
    .filter(({ path }) => path.endsWith('transferdomain'))
    .map(({ body }) => JSON.parse(body).period);

async function transfer(more: object, prices: object) {
  list(prices);
  const { data } = await gateway.query(
    `mutation ($input: TransferDomainInput!) { transferDomain(input: $input) {
      purchase { state period price { amount } } quote { period certainty highest { amount } }
      errors { code ... on PeriodOutOfRange { minimum maximum } } } }`,
    { input: { domain: nextDomain(), authCode: 'code', ...more } },
  );
  return data.transferDomain;
}

test.each<[string, object, object, number, string]>([
  ['0 without a period where that is listed', {}, { 0: '0.0000' }, 0, '0.0000'],
  ['0 of a list', {}, ['0.0000', '9'], 0, '0.0000'],
  ['a listed one above the bounds of registrations', { period: 9 }, { 9: '90' }, 9, '180.0000'],
])('a transfer is sent with the period %s', async (_what, more, prices, period, amount) => {
  accept();
  const made = await transfer(more, prices);

  expect(made).toEqual({
    purchase: { state: 'IN_PROGRESS', period, price: { amount } },
    quote: { period, certainty: 'LISTED', highest: { amount } },
    errors: [],
  });
  expect(sentPeriods()).toEqual([period]);
});

const outOfRange = { code: 'PERIOD_OUT_OF_RANGE', minimum: 0, maximum: 5 };

test.each<[string, object, object, object]>([
  ['-1', { period: -1 }, { 0: '0' }, outOfRange],
  ['1 without a price', { period: 1 }, { 0: '0' }, { code: 'PRICE_UNAVAILABLE' }],
  ['of a negative price', {}, { 1: '-1.0000' }, { code: 'PRICE_UNAVAILABLE' }],
])(
  'a transfer with the period %s is refused, and nothing is sent',
  async (_what, more, prices, error) => {
    const made = await transfer(more, prices);

    expect(made).toMatchObject({ purchase: null, errors: [error] });
    expect(sentPeriods()).toEqual([]);
  },
);

test('a line of an order has the same period', async () => {
  list({ 0: '0.0000' });
  accept();
  const lines = [{ transfer: { domain: nextDomain(), authCode: 'code' } }];
  const { data } = await gateway.query(
    `mutation ($lines: [OrderLineInput!]!) {
      placeOrder(input: { idempotencyKey: "period-0", onFailure: STOP, lines: $lines }) {
        order { id lines { period } } errors { code } } }`,
    { lines },
  );

  const { order, errors } = data.placeOrder;
  expect([order?.lines, errors]).toEqual([[{ period: 0 }], []]);
  await expect.poll(sentPeriods).toEqual([0]);
  const find = `{ order(by: { id: "${order.id}" }) { lines { purchase { period state } } } }`;
  const stored = async () => (await gateway.query(find)).data.order.lines[0].purchase;
  await expect.poll(stored).toEqual({ period: 0, state: 'IN_PROGRESS' });
});
