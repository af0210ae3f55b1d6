import { beforeEach, expect, test } from 'vitest';
import { ada } from '../../../test/support/ada.ts';
import {
  bulkReply,
  createTenant,
  problems,
  type Sender,
} from '../../../test/support/modules/purchase-tenant.ts';
import { money } from '../../kernel/money.ts';
import type { PlaceOrderInput } from './place-order.ts';

let tenant: Awaited<ReturnType<typeof createTenant>>;
beforeEach(async () => {
  tenant = await createTenant();
  tenant.upstream.bulkcheckavailability = bulkReply({});
});

const scopes = ['domains:spend', 'prices:cost', 'customers:write'] as const;
const shop: Sender = { caller: 'shop', scopes };
const fields = { fields: ada };
const ofLine = { maxPrice: money('90', 'USD'), maxCost: money('80', 'USD') };

const place = async (lines: PlaceOrderInput['lines'], sender = shop) => {
  const { orders } = tenant.request(sender).services;
  const order = { lines, idempotencyKey: 'order', onFailure: 'CONTINUE' } as const;
  expect(problems(await orders.place(order))).toEqual([]);
  expect(problems(await orders.cancel({ key: 'order' }))).toEqual([]);
};
const retry = (lines: object[], sender = shop) =>
  tenant
    .request(sender)
    .services.orders.retry({ key: 'order' }, { idempotencyKey: 'again', lines: lines as never });

test('a retry has every value of each line, as the order had', async () => {
  const registration = {
    ...{ domain: 'maple.com', period: 2, acceptPremium: true, customer: 'acme', ...ofLine },
    ...{ nameServers: ['ns1.example.net'], privacyProtected: true, transferLocked: false },
    ...{ registrant: fields, contact: { fields: { ...ada, firstName: 'Grace' } } },
  };
  const transfer = {
    ...{ domain: 'oak.com', period: 1, authCode: 'Auth-1', customer: 'bob', ...ofLine },
  };
  tenant.elsewhere.add('oak.com');
  await place([{ registration }, { transfer }]);

  const { order, errors } = await retry([
    { position: 0, registrant: fields, contact: registration.contact },
    { position: 1, authCode: 'Auth-1' },
  ]);

  expect(errors).toEqual([]);
  const { jobs } = tenant.journal;
  const [first] = await jobs.list('reseller-1', {
    filter: { kind: 'ORDER' },
    limit: 9,
    fromEnd: true,
  });
  // The fingerprint of a line is about all values that a client sent.
  const [before, after] = await Promise.all(
    [first?.id ?? '', order?.job.id ?? ''].map(async (id) =>
      (await jobs.items([id])).map(({ fingerprint, facts }) => ({ fingerprint, facts })),
    ),
  );
  expect(before).toHaveLength(2);
  expect(after).toEqual(before);
});

test('a line whose domain another customer has bought since is refused as any taken name', async () => {
  const acme = { ...shop, customer: 'acme', scopes: ['domains:spend'] } as const;
  await place(
    [
      {
        registration: {
          domain: 'maple.com',
          nameServers: ['ns1.example.net'],
          registrant: fields,
          acceptPremium: false,
        },
      },
    ],
    acme,
  );
  tenant.pass(1_000);
  const bought = await tenant.register({}, { caller: 'other' });
  expect(bought.purchase?.state).toBe('SUCCEEDED');

  const { errors } = await retry([{ position: 0, registrant: fields }], acme);

  expect(errors.map(({ code }) => code)).toEqual(['NOT_AVAILABLE']);
});
