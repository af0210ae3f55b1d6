import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiKeysOf, by } from '../../../../test/access/keys.ts';
import { order } from '../../../../test/graph/purchases/shop.ts';
import { newFolder } from '../../../../test/support/folder.ts';
import { startTestGateway, type TestGateway } from '../../../../test/support/gateway.ts';
import { connectModern, handleIn, type ToolClient } from './clients.ts';

describe('the tools of a model, whose purchases and changes another person approves', () => {
  const scopes = ['domains:spend', 'domains:check', 'domains:read', 'domains:write'] as const;
  let gateway: TestGateway;
  let model: ToolClient;
  let folder: string;
  beforeAll(async () => {
    folder = await newFolder('mcp-approvals');
    const APPROVALS_FILE = join(folder, 'approvals.json');
    const when = { mcp: true };
    await writeFile(
      APPROVALS_FILE,
      JSON.stringify({ rules: [{ operations: ['REGISTRATION', 'BULK_CHANGE'], when }] }),
    );
    const API_KEYS = apiKeysOf({ model: scopes, boss: ['approvals:decide', 'ops'] });
    gateway = await startTestGateway({
      ...{ sandboxDomains: 5, accountToken: null },
      env: { MCP_WRITES: 'true', API_KEYS, APPROVALS_FILE },
    });
    model = await connectModern(gateway.url, by('model'));
  });
  afterAll(async () => {
    await model?.close();
    await gateway?.close();
    await rm(folder, { recursive: true });
  });
  const decide = async (field: 'approve' | 'reject', id: string) => {
    const { data } = await gateway.query(
      `mutation ($id: ID!) { ${field}(input: { id: $id }) { errors { message } } }`,
      { id },
      by('boss'),
    );
    expect(data[field].errors).toEqual([]);
  };
  const buy = async (domain: string) => {
    const quoted = await model.call('quote_purchase', { registration: order({ domain }) });
    return { quoted, handle: handleIn(quoted) };
  };
  const sent = async (action: string) => (await gateway.countCalls())[action] ?? 0;

  test('the tools that buy and change say that another person may have to approve it', async () => {
    const tools = await model.list();
    const saying = tools.filter(({ description }) =>
      /Another person may have/.test(`${description}`),
    );

    expect(saying.map(({ name }) => name)).toEqual(['buy', 'apply_change']);
  });

  test('a purchase waits, with the address of the page, and is sent once after the approval', async () => {
    const { quoted, handle } = await buy('of-a-model.com');
    expect(quoted.text).toContain('Another person must approve this purchase');

    const bought = await model.call('buy', { handle });
    const { id, state, approval } = bought.data.purchase;
    expect([state, bought.isError]).toEqual(['AWAITING_APPROVAL', false]);
    expect(bought.text).toContain(
      `It waits for the approval of another person until ${approval.expiresAt}, and nothing was sent.`,
    );
    const address = `${gateway.url}/approvals/${approval.id}`;
    expect(bought.text).toContain(`where the other person decides: ${address} Do not buy`);
    expect((await fetch(address, { headers: { accept: 'text/html' } })).status).toBe(200);
    expect((await model.call('purchase', { id })).text).toContain(address);
    expect((await model.call('buy', { handle })).data).toMatchObject({
      ...{ replayed: true, purchase: { id, state: 'AWAITING_APPROVAL' } },
    });
    expect(await sent('registerdomain')).toBe(0);

    await decide('approve', approval.id);
    const read = () => model.call('purchase', { id });
    await expect.poll(async () => (await read()).data.purchase.state).toBe('SUCCEEDED');
    expect((await read()).text).toMatch(/^The domain was bought\./);
    expect(await sent('registerdomain')).toBe(1);
  });

  test('a rejected purchase is reported with its reason as data', async () => {
    const { handle } = await buy('rejected-of-a-model.com');
    const { data } = await model.call('buy', { handle });
    await decide('reject', data.purchase.approval.id);

    const read = () => model.call('purchase', { id: data.purchase.id });
    await expect
      .poll(async () => (await read()).data.purchase)
      .toMatchObject({
        ...{ state: 'FAILED', approval: { state: 'REJECTED' } },
        errors: [{ code: 'APPROVAL_REJECTED', executed: 'NO' }],
      });
    expect((await read()).text).toContain('APPROVAL_REJECTED: ');
  });

  test('a change of domains waits in the same way', async () => {
    const change = { setNameServers: ['ns1.changed.net', 'ns2.changed.net'] };
    const preview = await model.call('preview_change', { names: ['reseller-demo.com'], change });
    const applied = await model.call('apply_change', { handle: handleIn(preview) });
    const { id, state, approval } = applied.data.bulkChange;

    expect(state).toBe('AWAITING_APPROVAL');
    expect(applied.text).toContain(`${gateway.url}/approvals/${approval.id} Call \`change\``);
    expect(await sent('modifynameserver')).toBe(0);
    await decide('approve', approval.id);
    const read = () => model.call('change', { id });
    await expect.poll(async () => (await read()).text).toMatch(/^The change has ended: \d+ /);
    expect(await sent('modifynameserver')).toBe(1);
  });

  test('the same purchase without a tool needs no approval', async () => {
    const { data } = await gateway.query(
      `mutation ($input: RegisterDomainInput!) { registerDomain(input: $input) {
        purchase { state } needsApproval } }`,
      { input: order({ domain: 'by-hand.com', idempotencyKey: 'by-hand' }) },
      by('model'),
    );

    expect(data.registerDomain).toEqual({
      purchase: { state: 'SUCCEEDED' },
      needsApproval: false,
    });
  });
});
