import { beforeEach, expect, test } from 'vitest';
import { ada } from '../../../test/support/ada.ts';
import {
  bulkReply,
  createTenant,
  problems,
  type Sender,
} from '../../../test/support/modules/purchase-tenant.ts';
import { money } from '../../kernel/money.ts';
import { orders } from './parts.ts';
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
  const service = tenant.request(sender).use(orders);
  const placed = await service.place({ lines, idempotencyKey: 'order', onFailure: 'CONTINUE' });
  expect(problems(placed)).toEqual([]);
  expect(problems(await service.cancel({ key: 'order' }))).toEqual([]);
  return placed.order?.job.id ?? '';
};
const retry = (lines: object[], sender = shop) =>
  tenant
    .request(sender)
    .use(orders)
    .retry({ key: 'order' }, { idempotencyKey: 'again', lines: lines as never });

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
  const placed = await place([{ registration }, { transfer }]);

  const { order, errors } = await retry([
    { position: 0, registrant: fields, contact: registration.contact },
    { position: 1, authCode: 'Auth-1' },
  ]);

  expect(errors).toEqual([]);
  const { jobs } = tenant.journal;
  // The fingerprint of a line is about all values that a client sent.
  const [before, after] = await Promise.all(
    [placed, order?.job.id ?? ''].map(async (id) =>
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
