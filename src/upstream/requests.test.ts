import { describe, expect, test } from 'vitest';
import { answering, faultOf, reply, token } from '../../test/support/upstream/clients.ts';
import { actionsWithReply, replyText, requestOf } from '../../test/support/upstream/fixtures.ts';
import { Decimal } from '../kernel/money.ts';
import { Secret } from '../kernel/secret.ts';
import type { UpstreamCall } from './client/operation.ts';

const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };

const cartOf = (price: unknown) => ({
  cartDetails: [
    { description: 'x', quantity: rawJSON('1'), price, total: price, productType: 'domain' },
  ],
});

describe('the numbers of a cart', () => {
  test.each(['0.1000', '11.2900', '123456789012345678.123456789012', '-0.0001', '0.300000000004'])(
    '%s is sent with all its digits',
    { tags: ['G7'] },
    async (digits) => {
      const { account, sent } = answering(reply('', 201));

      await account('createCart', cartOf(rawJSON(Decimal.parse(digits).toString())));

      expect(sent[0]?.body).toContain(`"quantity":1,"price":${digits},"total":${digits}`);
    },
  );

  test.each([
    ['text', '11.2900'],
    ['a Decimal, which would become text', Decimal.parse('11.29')],
    ['no number', Number.NaN],
  ])('%s is refused before anything is sent', async (_, price) => {
    const { account, sent } = answering(reply('', 201));

    expect(await faultOf(account('createCart', cartOf(price)))).toMatchObject({
      code: 'INTERNAL',
      executed: 'NO',
    });
    expect(sent).toHaveLength(0);
  });
});

test('every Account API call matches the specification', async () => {
  const { account, sent } = answering(reply('', 200));
  const names = ['logout', 'createCart', 'updateHostingGroup', 'deleteHostingGroup', 'deleteLogs'];

  for (const name of names) await account(name);

  const { id: _, ...group } = requestOf('updateHostingGroup') as { id: string };
  expect(sent.map(({ method, path, body }) => [method, path, body && JSON.parse(body)])).toEqual([
    ['POST', '/auth/logout', undefined],
    ['POST', '/carts', requestOf('createCart')],
    ['PATCH', '/hosting/group/grp%201%2F2', group],
    ['DELETE', '/hosting/group', undefined],
    ['DELETE', '/logs', undefined],
  ]);
  expect(sent.every(({ headers }) => headers.authorization === `Bearer ${token}`)).toBe(true);
});

test('the lists of domains and prices are read row by row, and every other reply as a whole', async () => {
  for (const action of actionsWithReply) {
    const { domain, sent } = answering(reply(replyText(action)));
    await domain(action);

    const isList = action === 'getdomainlist' || action === 'tldlist';
    expect([action, sent[0]?.reader !== undefined]).toEqual([action, isList]);
    expect(sent[0]?.method).toBe('POST');
  }
});

test('absent fields are not sent', async () => {
  const { account, sent } = answering(reply('', 200));

  await account('updateHostingGroup', { id: '7', hostingGroupName: 'New' });

  expect(sent[0]?.body).toBe('{"hostingGroupName":"New"}');
});

test.each(['', '.', '..'])(
  'the group id %j, which would change the path, is refused',
  async (id) => {
    const { account, sent } = answering(reply('', 200));

    expect(await faultOf(account('updateHostingGroup', { id }))).toMatchObject({
      code: 'INTERNAL',
      executed: 'NO',
    });
    expect(sent).toHaveLength(0);
  },
);

test.each(['', 'a b', 'a\r\nx-evil: 1', 'ü'])(
  'the token %j, which no header can hold, is refused',
  async (bad) => {
    const { accountApi, sent } = answering(reply('', 200));

    const fault = await faultOf(accountApi.deleteLogs({}, { token: new Secret(bad) }));

    expect(fault).toMatchObject({ code: 'UNAUTHENTICATED', executed: 'NO' });
    expect(sent).toHaveLength(0);
  },
);

test('a request that does not match its row is an INTERNAL fault without its values', async () => {
  const { domain, sent } = answering(reply(replyText('registerdomain')));

  const fault = await faultOf(
    domain('registerdomain', {}, { domain: 'secret.com', period: 'one' }),
  );

  expect(fault).toMatchObject({ code: 'INTERNAL', executed: 'NO' });
  expect(fault.cause).toContain('registerdomain');
  expect(fault.cause).toContain('period');
  expect(fault.cause).not.toContain('secret.com');
  expect(sent).toHaveLength(0);
});

test('a request cannot contain credentials of its own', async () => {
  const { domain, sent } = answering(reply(replyText('getdetails')));

  await domain('getdetails', {}, { domain: 'a.com', username: 'other', password: 'other' });

  expect(sent[0]?.body).not.toContain('other');
});

test('each attempt is reported, with the number of names of a bulk check', async () => {
  const calls: UpstreamCall[] = [];
  const { domain } = answering(reply(replyText('bulkcheckavailability')));

  await domain('bulkcheckavailability', { onCall: (call) => calls.push(call) });

  expect(calls).toEqual([
    {
      api: 'domain',
      action: 'bulkcheckavailability',
      attempt: 1,
      durationMs: 0,
      outcome: 'OK',
      batch: 2,
    },
  ]);
});

test('an observer that throws does not fail a purchase', async () => {
  const { domain } = answering(reply(replyText('registerdomain')));

  const answer = await domain('registerdomain', {
    onCall: () => {
      throw new Error('full disk');
    },
  });

  expect(answer).toMatchObject({ name: 'acme-shop.com' });
});
