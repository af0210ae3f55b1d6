import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import packageJson from '../../../package.json' with { type: 'json' };
import { allAccessScopes } from '../../../src/kernel/caller.ts';
import { by, keyOf } from '../../access/keys.ts';
import { newFolder } from '../../support/folder.ts';
import { startTestGateway, type TestGatewayOptions } from '../../support/gateway.ts';
import { stopPurchases } from '../../support/stop-switch.ts';
import { openThree } from '../../tenants/accounts.ts';
import { openShop } from '../purchases/shop.ts';

const document = `{ gateway {
  environment version tenant caller scopes spendLeft { amount currency } purchasesStoppedSince purchasesStoppedReason
  maxUpstreamCalls maxPageSize spendLimits {
    scope perCall { amount currency } perDay { amount currency } perHour tlds longestPeriod }
} }`;

const start = async (options: TestGatewayOptions = {}) => {
  const gateway = await startTestGateway({ sandboxDomains: 5, ...options });
  onTestFinished(() => gateway.close());
  return gateway;
};
const keys = (rows: Readonly<Record<string, object>>) => ({
  API_KEYS: JSON.stringify(
    Object.fromEntries(
      Object.entries(rows).map(([name, row]) => [
        name,
        { sha256: createHash('sha256').update(keyOf(name)).digest('hex'), ...row },
      ]),
    ),
  ),
});
const dollars = (amount: string) => ({ amount, currency: 'USD' });
const liras = { amount: '900.0000', currency: 'TRY' };

test('the gateway of an open sandbox reports SANDBOX and every scope, without an upstream call', async () => {
  const gateway = await start();

  const { data, errors, extensions } = await gateway.query(document);

  expect(errors).toBeUndefined();
  expect(data.gateway).toEqual({
    ...{ environment: 'SANDBOX', version: packageJson.version, tenant: 'default', caller: null },
    scopes: [...allAccessScopes].sort(),
    ...{ maxUpstreamCalls: 200, maxPageSize: 100, spendLimits: [] },
    ...{ spendLeft: null, purchasesStoppedSince: null, purchasesStoppedReason: null },
  });
  expect(extensions.cost.upstreamCalls).toBe(0);
  expect(await gateway.upstreamCalls()).toEqual([]);
});

test('a gateway with a live upstream reports LIVE', async () => {
  const live = {
    UPSTREAM: 'live',
    DOMAIN_API_URL: 'https://127.0.0.1:9/domain-api',
    DOMAIN_API_USERNAME: 'ada',
    DOMAIN_API_PASSWORD: 'a-password-of-ada',
    ...keys({ shop: { scopes: ['domains:check'] } }),
  };
  const gateway = await start({ env: live });

  const { data } = await gateway.query('{ gateway { environment caller } }', {}, by('shop'));

  expect(data.gateway).toEqual({ environment: 'LIVE', caller: 'shop' });
});

test('each caller gets its own name, tenant and scopes', async () => {
  const { accounts, close } = await openThree();
  onTestFinished(close);

  for (const { tenant, send } of accounts) {
    const { data } = await send('{ gateway { tenant caller } }');
    expect(data.gateway).toEqual({ tenant, caller: tenant });
  }
});

describe('a gateway with spend limits and keys', () => {
  const limited = {
    SPEND_LIMITS: JSON.stringify({ perDay: ['100 USD', '900 TRY'], perHour: 20 }),
    MAX_UPSTREAM_CALLS: '30',
    ...keys({
      shop: {
        scopes: ['domains:spend', 'account:read', 'prices:cost'],
        limits: { perDay: ['30 USD'], perCall: ['20 USD'], tlds: ['com'], longestPeriod: 2 },
      },
      office: { scopes: ['domains:spend', 'account:read', 'prices:cost'] },
      reader: { scopes: ['domains:read'] },
    }),
  };

  test('reports the limits, and the remaining spend of the stricter one', async () => {
    const shop = await openShop({ env: limited });
    onTestFinished(() => shop.close());
    const info = async (name: string) =>
      (await shop.gateway.query(document, {}, by(name))).data.gateway;
    const before = await info('shop');
    for (const domain of ['maple-harbor.com', 'maple-canvas.com']) {
      expect((await shop.register({ domain }, by('shop'))).errors).toEqual([]);
    }

    expect(before).toMatchObject({
      caller: 'shop',
      scopes: ['account:read', 'domains:spend', 'prices:cost'],
      maxUpstreamCalls: 30,
      spendLimits: [
        {
          ...{ scope: 'GATEWAY', perCall: null, perHour: 20, tlds: null, longestPeriod: null },
          perDay: [dollars('100.0000'), liras],
        },
        {
          ...{ scope: 'KEY', perCall: [dollars('20.0000')], perDay: [dollars('30.0000')] },
          ...{ perHour: null, tlds: ['com'], longestPeriod: 2 },
        },
      ],
      spendLeft: [dollars('30.0000')],
    });
    expect((await info('shop')).spendLeft).toEqual([dollars('7.4200')]);
    expect((await info('office')).spendLeft).toEqual([dollars('77.4200'), liras]);
  });

  test('reports a stop to every caller, but its reason and the spend to buyers and operators only', async () => {
    const folder = await newFolder('gateway-info');
    onTestFinished(() => rm(folder, { recursive: true }));
    const gateway = await start({ env: { ...limited, DATA_DIR: folder } });
    await stopPurchases({ DATA_DIR: folder }, 'Ask Ada.');

    const known = await gateway.query(document, {}, by('office'));
    const hidden = await gateway.query(document, {}, by('reader'));

    const since = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);
    expect(known.data.gateway).toMatchObject({
      ...{ purchasesStoppedSince: since, purchasesStoppedReason: 'Ask Ada.' },
    });
    expect(hidden.data.gateway).toMatchObject({
      scopes: ['domains:read'],
      ...{ purchasesStoppedSince: since, purchasesStoppedReason: null },
      spendLeft: null,
      ...{ spendLimits: null, maxPageSize: 100 },
    });
    expect(hidden.errors).toMatchObject(
      ['spendLeft', 'purchasesStoppedReason', 'spendLimits'].map((field) => ({
        ...{ path: ['gateway', field], extensions: { code: 'FORBIDDEN' } },
      })),
    );
  });
});
