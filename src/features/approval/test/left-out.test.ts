import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { apiKeysOf, by } from '../../../../test/access/keys.ts';
import { order } from '../../../../test/graph/purchases/shop.ts';
import { newFolder } from '../../../../test/support/folder.ts';
import { startTestGateway } from '../../../../test/support/gateway.ts';
import { connectModern } from '../../mcp/test/clients.ts';

const folder = await newFolder('without-approvals');
const APPROVALS_FILE = join(folder, 'approvals.json');
await writeFile(APPROVALS_FILE, '{"rules":[{"operations":["REGISTRATION"]}]}');
afterAll(() => rm(folder, { recursive: true }));

const API_KEYS = apiKeysOf({
  buyer: ['domains:spend', 'domains:check', 'domains:read', 'events:read', 'webhooks:write'],
});
const start = (env: Record<string, string>) =>
  startTestGateway({
    env: {
      DATA_DIR: folder,
      API_KEYS,
      MCP_WRITES: 'true',
      WEBHOOKS_ALLOW_PRIVATE: 'true',
      EVENTS_INTERVAL_SECONDS: '300',
      ...env,
    },
  });

test('a gateway without approvals does not start while one is waited for, and then has no field of them', async () => {
  const whole = await start({ APPROVALS_FILE });
  const send = (gateway: typeof whole, document: string, variables = {}) =>
    gateway.query(document, variables, by('buyer'));
  const register = `mutation ($input: RegisterDomainInput!) {
    registerDomain(input: $input) { purchase { id state } } }`;
  const { data } = await send(whole, register, { input: order({ domain: 'held.com' }) });
  const { id, state } = data.registerDomain.purchase;
  expect(state).toBe('AWAITING_APPROVAL');
  await whole.close();

  await expect(start({ FEATURES: '-approval', APPROVALS_FILE })).rejects.toThrow(/APPROVALS_FILE/);
  await expect(start({ FEATURES: '-approval' })).rejects.toThrow(
    /^The journal has 1 item of approval that wait for a decision/,
  );

  const again = await start({});
  const cancel = 'mutation ($by: LookupInput!) { cancelPurchase(input: $by) { errors { code } } }';
  expect((await send(again, cancel, { by: { id } })).data.cancelPurchase.errors).toEqual([]);
  const item = 'query ($id: ID!) { purchase(by: { id: $id }) { state } }';
  await expect
    .poll(async () => (await send(again, item, { id })).data.purchase.state)
    .toBe('FAILED');

  const created =
    'mutation { createWebhook(input: { url: "http://127.0.0.1:9/a", types: [APPROVAL_EXPIRED, EXPIRING] }) { webhook { id } errors { message } } }';
  expect((await send(again, created)).data.createWebhook.errors).toEqual([]);
  const eventTypes = '{ events { nodes { type } } }';
  await expect
    .poll(async () => JSON.stringify((await send(again, eventTypes)).data.events.nodes))
    .toContain('APPROVAL_REQUESTED');
  await again.close();

  const left = await start({ FEATURES: '-approval' });
  const stored = await send(
    left,
    `query ($id: ID!) {
    purchase(by: { id: $id }) { state nextStep errors { __typename code message executed } }
    events { nodes { type } } webhooks { types } }`,
    { id },
  );
  const refused = await send(left, '{ approvals { totalCount } }');
  const page = await fetch(`${left.url}/approvals`, { headers: { accept: 'text/html' } });
  const model = await connectModern(left.url, by('buyer'));
  const quoted = await model.call('quote_purchase', {
    registration: order({ domain: 'bought-at-once.com' }),
  });
  await model.close();
  await left.close();

  expect(stored.errors).toBeUndefined();
  const message = 'The request was cancelled before its approval, so nothing was sent.';
  expect(stored.data).toMatchObject({
    purchase: {
      state: 'FAILED',
      errors: [{ __typename: 'PlainError', code: 'FORBIDDEN', message, executed: 'NO' }],
    },
    webhooks: [{ types: ['EXPIRING'] }],
  });
  expect(JSON.stringify(stored.data.events)).not.toContain('APPROVAL');
  expect(refused.errors).toMatchObject([{ extensions: { code: 'INVALID_REQUEST' } }]);
  expect(page.status).toBe(404);
  expect(quoted.isError).toBe(false);
});
