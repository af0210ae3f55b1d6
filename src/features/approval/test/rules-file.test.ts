import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { apiKeysOf, by } from '../../../../test/access/keys.ts';
import { order } from '../../../../test/graph/purchases/shop.ts';
import { newFolder } from '../../../../test/support/folder.ts';
import { startTestGateway } from '../../../../test/support/gateway.ts';
import { createGatewayClock } from '../../../../test/support/gateway-clock.ts';
import { secondMs } from '../../../../test/support/simulated-clock.ts';

const API_KEYS = apiKeysOf({
  desk: ['domains:spend', 'domains:read', 'domains:write'],
  staff: ['domains:spend', 'prices:cost'],
  boss: ['approvals:decide'],
});

async function open(content: string) {
  const folder = await newFolder('rules-file');
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'approvals.json');
  const write = (text: string) => writeFile(file, text);
  await write(content);
  const time = createGatewayClock();
  const gateway = time.withTime(
    await startTestGateway({
      ...{ clock: time.clock, sandboxDomains: 5, accountToken: null },
      env: { API_KEYS, APPROVALS_FILE: file, METRICS_PORT: '0' },
    }),
  );
  onTestFinished(() => gateway.close());
  const waits = async (domain: string, key: 'desk' | 'staff' = 'desk') => {
    const input = order({ domain, dryRun: true, acceptPremium: true });
    const { data } = await gateway.query(
      `mutation ($input: RegisterDomainInput!) {
        registerDomain(input: $input) { needsApproval errors { code } } }`,
      { input },
      by(key),
    );
    expect(data.registerDomain.errors).toEqual([]);
    return data.registerDomain.needsApproval as boolean;
  };
  return { gateway, time, write, waits };
}
const rule = (when: object, operations = ['REGISTRATION']) =>
  JSON.stringify({ rules: [{ operations, when }] });
const above = (amount: string, currency = 'USD') => ({ costAbove: { amount, currency } });

// A registration of a .com costs 11.29 USD. It counts 22.58 USD, its price, for a caller without `prices:cost`. casino.cc is a premium name.
test.each<[string, object, string, 'desk' | 'staff', boolean]>([
  ['always', {}, 'maple-harbor.com', 'desk', true],
  ['a lower amount', above('22.57'), 'maple-harbor.com', 'desk', true],
  ['the same amount', above('11.29'), 'maple-harbor.com', 'staff', false],
  ['an amount in another currency', above('9999', 'EUR'), 'maple-harbor.com', 'desk', true],
  ['a premium name', { premium: true }, 'casino.cc', 'desk', true],
  ['premium, of another name', { premium: true }, 'maple-harbor.com', 'desk', false],
  ['no premium name', { premium: false }, 'casino.cc', 'desk', false],
  ['the key', { keys: ['desk'] }, 'maple-harbor.com', 'desk', true],
  ['another key', { keys: ['desk'] }, 'maple-harbor.com', 'staff', false],
  ['a scope', { scopes: ['prices:cost', 'ops'] }, 'maple-harbor.com', 'staff', true],
  ['a scope of another key', { scopes: ['prices:cost'] }, 'maple-harbor.com', 'desk', false],
  ['several names', { countAbove: 1 }, 'maple-harbor.com', 'desk', false],
  ['a tool', { mcp: true }, 'maple-harbor.com', 'desk', false],
  ['no tool', { mcp: false }, 'maple-harbor.com', 'desk', true],
  ['all of several', { ...above('22'), keys: ['desk'] }, 'maple-harbor.com', 'desk', true],
  ['one of several', { ...above('11'), keys: ['desk'] }, 'maple-harbor.com', 'staff', false],
])(
  'with the condition %s a purchase waits: %j %s %s %s',
  async (_what, when, domain, key, expected) => {
    const { waits } = await open(rule(when));

    expect(await waits(domain, key)).toBe(expected);
  },
);

test('an order is compared by the sum of its lines and by their number', async () => {
  const { gateway, time, write } = await open(rule(above('22.57')));
  const place = async (key: string, ...domains: readonly string[]) => {
    const lines = domains.map((domain) => ({ registration: order({ domain }) }));
    const { data } = await gateway.query(
      `mutation ($input: PlaceOrderInput!) { placeOrder(input: $input) { order { state } errors { code } } }`,
      { input: { idempotencyKey: key, lines } },
      by('desk'),
    );
    expect(data.placeOrder.errors).toEqual([]);
    return data.placeOrder.order.state;
  };

  expect(await place('one', 'one-maple.com')).not.toBe('AWAITING_APPROVAL');
  // 22.58 USD.
  expect(await place('two', 'two-maple.com', 'three-maple.com')).toBe('AWAITING_APPROVAL');
  await write(rule({ countAbove: 2 }));
  await time.pass(3 * secondMs);
  expect(await place('three', 'four-maple.com', 'five-maple.com')).not.toBe('AWAITING_APPROVAL');
  expect(await place('four', 'six-maple.com', 'seven-maple.com', 'eight-maple.com')).toBe(
    'AWAITING_APPROVAL',
  );
});

test('a file that becomes wrong changes nothing, and is logged and counted', async () => {
  const { gateway, time, write, waits } = await open(rule({ keys: ['desk'] }));
  const usable = async () =>
    /^reseller_graph_approval_file_usable (\d)/m.exec(
      await (await fetch(`${gateway.metricsUrl}/metrics`)).text(),
    )?.[1];
  expect(await usable()).toBe('1');

  await write(rule({ keys: ['unknown'] }));
  await time.pass(3 * secondMs);
  expect([await waits('maple-harbor.com'), await usable()]).toEqual([true, '0']);
  expect(gateway.lines).toContainEqual(
    expect.objectContaining({ level: 'error', msg: 'approval rules unchanged' }),
  );

  await write(rule({ keys: ['staff'] }));
  await time.pass(3 * secondMs);
  expect([await waits('maple-harbor.com'), await usable()]).toEqual([false, '1']);
});

test('a file with faults is an error at the start, which names all of them', async () => {
  const faulty = JSON.stringify({
    rules: [
      { operations: ['RENEWAL'], when: { scopes: ['domains:buy'] } },
      { operations: ['UNLOCK'], when: { keys: ['unknown'] }, expiresAfter: 'soon' },
    ],
  });

  await expect(open(faulty)).rejects.toThrow(
    /^APPROVALS_FILE: .+"operations"\.\[0\] is one of .+"scopes"\.\[0\] is one of .+"expiresAfter" is a number of/,
  );
});
