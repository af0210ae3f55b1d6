import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { apiKeysOf, by } from '../../../../test/access/keys.ts';
import { order, transferCode } from '../../../../test/graph/purchases/shop.ts';
import { newFolder } from '../../../../test/support/folder.ts';
import { startTestGateway } from '../../../../test/support/gateway.ts';
import { createMovedClock } from '../../../../test/support/moved-clock.ts';
import { allAccessScopes } from '../../../kernel/caller.ts';

const clock = createMovedClock();
const folder = await newFolder('sums');
const file = join(folder, 'prices.json');
await writeFile(file, JSON.stringify({ rules: [{ margin: '100' }] }));
const buyers = ['domains:read', 'domains:spend'] as const;
const gateway = await startTestGateway({
  clock,
  reconcileEveryMs: 20,
  accountToken: null,
  env: {
    PRICES_FILE: file,
    API_KEYS: apiKeysOf(
      { owner: allAccessScopes, shop: [...buyers, 'customers:write'], acme: [...buyers] },
      { acme: 'acme' },
    ),
  },
});
afterAll(async () => {
  await gateway.close();
  await rm(folder, { recursive: true });
});

const response = async (document: string, variables: object = {}, key = 'owner') =>
  gateway.query(document, variables, by(key));

async function read(document: string, variables: object = {}, key?: string) {
  const { data, errors } = await response(document, variables, key);
  expect(errors).toBeUndefined();
  return data;
}

/** The id of the purchase of a mutation that is its only field. */
async function bought(document: string, input: object, key?: string): Promise<string> {
  const [payload] = Object.values(await read(document, { input }, key));
  const { purchase, errors } = payload as { purchase: { id: string }; errors: unknown };
  expect(errors).toEqual([]);
  return purchase.id;
}
const payload = '{ purchase { id } errors { message } }';
const register = (input: object, key?: string) =>
  bought(
    `mutation ($input: RegisterDomainInput!) { registerDomain(input: $input) ${payload} }`,
    order(input),
    key,
  );
const transfer = (input: object) =>
  bought(`mutation ($input: TransferDomainInput!) { transferDomain(input: $input) ${payload} }`, {
    authCode: transferCode,
    ...input,
  });

const document = `query ($filter: PurchaseSumFilter, $by: PurchaseGroup!) { purchaseSums(filter: $filter, by: $by) {
  value count paid { amount currency } refunded { amount } spent { amount currency } margin { amount currency } } }`;

/** A row as the texts of its members; `-` for null. */
async function sums(group: string, filter: object | null = null, key?: string) {
  const { purchaseSums } = await read(document, { by: group, filter }, key);
  const text = (one: { amount: string } | null) => one?.amount ?? '-';
  return (purchaseSums as Record<string, never>[]).map((row) => {
    const { value, count, paid = null, refunded = null, spent = null, margin = null } = row;
    return [value ?? '-', count, ...[paid, refunded, spent, margin].map(text)].join(' ');
  });
}

const startOf = (months: number) => {
  const now = clock.now();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months));
};
const monthOf = (at: Date) => at.toISOString().slice(0, 7);

describe('a registration of one month, and a transfer that failed in another', () => {
  test('sums are zero, then exact, by month, customer and TLD, without an upstream call', async () => {
    expect(await sums('MONTH')).toEqual([]);

    clock.advance((startOf(1).getTime() + 9 * 86_400_000 - clock.now().getTime()) / 1_000);
    const month = monthOf(clock.now());
    await register({ domain: 'cedar-sum.com', customer: 'acme' });
    await register({ domain: 'cedar-sum.net', period: 2 }, 'shop');
    // Apart from the others, so that the balance shows its refund.
    clock.advance(3_600);
    const id = await transfer({ domain: 'reject-sum.com', customer: 'acme' });
    const lookup = 'query ($id: ID!) { purchase(by: { id: $id }) { state } }';
    expect((await read(lookup, { id })).purchase.state).toBe('IN_PROGRESS');
    const before = await sums('MONTH');
    expect(before).toEqual([`${month} 3 99.7200 0.0000 49.8600 49.8600`]);
    await gateway.resetCalls();
    clock.advance((startOf(1).getTime() + 15 * 86_400_000 - clock.now().getTime()) / 1_000);
    await expect.poll(() => gateway.countCalls()).toHaveProperty('getdetails');
    // A second read confirms the first one.
    clock.advance(61);
    await expect.poll(async () => (await read(lookup, { id })).purchase.state).toBe('FAILED');

    await gateway.resetCalls();
    const failed = '0 0.0000 21.1800 -10.5900 -10.5900';
    const lastMonth = `${monthOf(clock.now())} ${failed}`;
    // A month that has passed does not change.
    expect(await sums('MONTH')).toEqual([lastMonth, ...before]);
    expect(await sums('TLD')).toEqual([
      'com 2 43.7600 21.1800 11.2900 11.2900',
      'net 1 55.9600 0.0000 27.9800 27.9800',
    ]);
    expect(await sums('CUSTOMER')).toEqual([
      'acme 2 43.7600 21.1800 11.2900 11.2900',
      '- 1 55.9600 0.0000 27.9800 27.9800',
    ]);
    const at = { from: startOf(0).toISOString() };
    expect(await sums('MONTH', { at })).toEqual([lastMonth]);
    expect(await sums('MONTH', { at: { until: at.from } })).toEqual(before);
    expect(await sums('TLD', { at, customer: 'acme' })).toEqual([`com ${failed}`]);
    expect(await sums('TLD', { caller: 'shop' })).toEqual(['net 1 55.9600 0.0000 27.9800 27.9800']);
    expect(await gateway.countCalls()).toEqual({});
  });

  test('a caller sees the sums of its own purchases, without costs unless it may know them', async () => {
    expect(await sums('CUSTOMER', {}, 'acme')).toEqual(['acme 2 43.7600 21.1800 - -']);
    expect(await sums('CUSTOMER', { customer: 'bolt' }, 'acme')).toEqual([]);
    expect(await sums('TLD', null, 'shop')).toEqual(['net 1 55.9600 0.0000 - -']);
  });

  test.each([
    [{ caller: 'owner' }, 'acme', 'The filter `caller` needs the scope `ops`.'],
    [{ at: { from: '2027-02-01', until: '2027-01-01' } }, 'owner', 'must end after its start'],
    [{ customer: ' ' }, 'owner', 'customer'],
  ])('%j is refused', async (filter, key, message) => {
    const { errors } = await response(document, { by: 'MONTH', filter }, key);
    expect(errors?.[0]?.message).toContain(message);
  });
});
