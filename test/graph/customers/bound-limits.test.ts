import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Payload } from '../purchases/shop.ts';
import { type BoundShop, openBoundShop } from './bound-shop.ts';

let opened: BoundShop;
beforeAll(async () => {
  opened = await openBoundShop({
    DEVELOPMENT: 'false',
    DOMAIN_MAX_AGE_SECONDS: '3600',
    SPEND_LIMITS: JSON.stringify({ perHour: 0, perDay: ['7 USD'] }),
  });
});
afterAll(() => opened?.close());

test('a refusal has the totals of the account for the reseller only', async () => {
  const textsOf = async (who: string) =>
    (await opened.register(who, 'too-dear.com')).errors.map(({ message }: Payload) => message);

  expect((await textsOf('reseller')).join(' ')).toMatch(
    /at most 7\.0000 USD .* at most 0 purchase/,
  );
  const refused = 'A spend limit of this gateway or of this API key refuses the purchase.';
  expect(await textsOf('acme')).toEqual([refused, refused]);
  const { errors } = await opened.register('acme', 'too-dear.com');
  for (const { spent, count, allowed, allowedCount } of errors) {
    expect([spent, count, allowed, allowedCount]).toEqual([null, null, null, null]);
  }
});

test('a cached response ends when its domain gets another customer', async () => {
  const document = '{ domain(name: "hostless-demo.com") { name } domains { totalCount } }';
  await opened.assign(['hostless-demo.com'], 'acme');
  const read = () => opened.send('acme', document);
  const own = { domain: { name: 'hostless-demo.com' }, domains: { totalCount: 3 } };
  for (let time = 0; time < 3; time += 1) expect(await read()).toEqual(own);
  await opened.gateway.resetCalls();

  await opened.assign(['hostless-demo.com'], 'bolt');

  expect(await read()).toEqual({ domain: null, domains: { totalCount: 2 } });
  expect(await opened.gateway.countCalls()).toEqual({});
});
