import { beforeEach, describe, expect, test } from 'vitest';
import { ada } from '../../../test/support/ada.ts';
import {
  account,
  register,
  registration,
  type Sender,
} from '../../../test/support/modules/purchase-tenant.ts';
import { priceListBy } from '../../../test/support/retail-list.ts';
import { parseDomainName } from '../../kernel/domain-name.ts';
import { money } from '../../kernel/money.ts';
import { startJobs } from '../../modules/job/parts.ts';
import { gate } from '../../modules/mutation/gate.ts';
import { orders } from '../order/parts.ts';
import { protection } from '../../modules/protection/service.ts';
import { purchases } from '../../modules/purchase/service.ts';
import { createQuotes, tenantPricing } from '../../modules/quote/quotes.ts';
import type { Scope } from '../../scope/scope.ts';
import { bulkChanges } from '../bulk-change/parts.ts';
import { approvals } from './parts.ts';
import { approvalOperations } from './rules.ts';
import { createRuledTenant } from './test/ruled-tenant.ts';

const own = parseDomainName('own.com');

let tenant: Awaited<ReturnType<typeof createRuledTenant>>;
let started: number;
beforeEach(async () => {
  tenant = await createRuledTenant();
  started = 0;
  tenant.gateway.provide(startJobs, () => {
    started += 1;
  });
  tenant.domains.set(own, 'Active');
  await tenant.journal.customers.assign(account, [own], 'acme', tenant.clock.now());
});

/** Each request needs an approval from now on. */
const needApprovals = () => tenant.needApprovals(approvalOperations);

const web: Sender = {
  caller: 'web',
  customer: 'acme',
  scopes: ['domains:spend', 'domains:read', 'domains:write', 'domains:unlock'],
};
const boss: Sender = { caller: 'boss', scopes: ['approvals:decide'] };
const useOf = (sender: Sender) => tenant.request(sender).use;

const order = {
  lines: [
    {
      registration: {
        ...{ domain: 'maple.com', acceptPremium: false },
        ...{ nameServers: registration.nameServers, registrant: { fields: ada } },
      },
    },
  ],
  ...{ idempotencyKey: 'order', onFailure: 'STOP' as const },
};
const change = {
  ...{ names: [own], change: { privacyProtected: true } },
  ...{ expectedCount: 1, idempotencyKey: 'change' },
};

type Request = (use: Scope['use']) => Promise<unknown>;
const registerOne: Request = (use) => register({ use }, registration);
const place: Request = (use) => use(orders).place(order);
const changeAll: Request = (use) => use(bulkChanges).create(change);
const unlock: Request = (use) => use(protection).disableTransferLock({ domain: own }, use(gate));
const readAuthCode: Request = (use) =>
  use(gate)
    .requireForAuthCodes(own)
    .catch(() => undefined);

/** `starts`: how often the work on jobs is started by the decision. */
const requests: readonly [what: string, request: Request, starts: number][] = [
  ['a registration', registerOne, 1],
  ['an order', place, 1],
  ['a bulk change', changeAll, 1],
  ['an unlock', unlock, 0],
  ['a read of an auth code', readAuthCode, 0],
];

describe('the approval of', () => {
  const approvalsOf = async (sender: Sender) =>
    (await useOf(sender)(approvals).list({ filter: {}, limit: 9 })).items;

  test.each(requests)(
    '%s has the customer of its caller, and other customers do not see it',
    async (_what, request) => {
      needApprovals();
      await request(useOf(web));

      expect(await approvalsOf(boss)).toMatchObject([{ caller: 'web', customer: 'acme' }]);
      expect(await approvalsOf(web)).toHaveLength(1);
      expect(await approvalsOf({ ...web, customer: 'bob' })).toEqual([]);
      expect(await approvalsOf({ ...web, customer: null, caller: 'other' })).toEqual([]);
    },
  );

  test.each(requests)('%s starts the work on its job at once', async (_what, request, starts) => {
    needApprovals();
    await request(useOf(web));
    const [approval] = await approvalsOf(boss);
    started = 0;
    const { errors } = await useOf(boss)(approvals).approve(approval?.id ?? '');

    expect([errors, started]).toEqual([[], starts]);
  });

  test.each(requests.slice(0, 2))(
    '%s has the price of the customer and the cost',
    async (_what, request) => {
      needApprovals();
      const list = priceListBy();
      const quotes = createQuotes(() => list, tenant.clock);
      tenant.gateway.provide(tenantPricing, { retail: quotes, withCosts: quotes });
      await request(useOf(web));

      expect(await approvalsOf(boss)).toMatchObject([
        { cost: money('10', 'USD'), price: money('20', 'USD') },
      ]);
    },
  );
});

describe('the work on a job is started at once', () => {
  test.each<[string, Request, Request]>([
    ['an order that is placed', async () => undefined, place],
    ['a bulk change that is created', async () => undefined, changeAll],
    [
      'an order that is retried',
      async (use) => {
        await place(use);
        await use(orders).cancel({ key: 'order' });
      },
      (use) => {
        const lines = [{ position: 0, registrant: { fields: ada } }];
        return use(orders).retry({ key: 'order' }, { idempotencyKey: 'again', lines });
      },
    ],
    [
      'a bulk change that is retried',
      async (use) => {
        await changeAll(use);
        await use(bulkChanges).cancel({ key: 'change' });
      },
      (use) => use(bulkChanges).retry({ key: 'change' }),
    ],
  ])('of %s', async (_what, before, request) => {
    await before(useOf(web));
    started = 0;
    await request(useOf(web));

    expect(started).toBe(1);
  });

  test('of a purchase that is cancelled before its approval', async () => {
    needApprovals();
    const { purchase } = await register({ use: useOf(web) }, registration);
    started = 0;
    const { errors } = await useOf(web)(purchases).cancel({ id: purchase?.id ?? '' });

    expect([errors, started]).toEqual([[], 1]);
  });
});
