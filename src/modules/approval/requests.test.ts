import { beforeEach, describe, expect, test } from 'vitest';
import { ada } from '../../../test/support/ada.ts';
import {
  account,
  createTenant,
  registration,
  type Sender,
} from '../../../test/support/modules/purchase-tenant.ts';
import { parsePrices } from '../../config/price-file.ts';
import { approvalOperations, createApprovalRules } from '../../kernel/approval-rules.ts';
import { parseDomainName } from '../../kernel/domain-name.ts';
import { money } from '../../kernel/money.ts';
import { createPriceList } from '../price/price-list.ts';
import { createQuotes } from '../quote/quotes.ts';
import type { Scope } from '../scope.ts';

const own = parseDomainName('own.com');

let tenant: Awaited<ReturnType<typeof createTenant>>;
let started: number;
beforeEach(async () => {
  tenant = await createTenant();
  started = 0;
  Object.assign(tenant.deps, {
    startJobs() {
      started += 1;
    },
  });
  tenant.domains.set(own, 'Active');
  await tenant.journal.customers.assign(account, [own], 'acme', tenant.clock.now());
});

/** Each request needs an approval from now on; of an order its lines one by one, if `perLine`. */
const needApprovals = (perLine = false) => {
  const rule = { name: 'rule 1', operations: approvalOperations, when: {}, perLine };
  const rules = createApprovalRules([{ ...rule, expiresAfterMs: 3_600_000 }]);
  Object.assign(tenant.deps, { approvalRules: () => rules });
};

const web: Sender = {
  caller: 'web',
  customer: 'acme',
  scopes: ['domains:spend', 'domains:read', 'domains:write', 'domains:unlock'],
};
const boss: Sender = { caller: 'boss', scopes: ['approvals:decide'] };
const servicesOf = (sender: Sender) => tenant.request(sender).services;

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

type Request = (services: Scope['services']) => Promise<unknown>;
const register: Request = (services) => services.registration.register(registration);
const place: Request = (services) => services.orders.place(order);
const changeAll: Request = (services) => services.bulkChanges.create(change);
const unlock: Request = ({ protection, approvalGate }) =>
  protection.disableTransferLock({ domain: own }, approvalGate);
const readAuthCode: Request = ({ approvalGate }) =>
  approvalGate.requireForAuthCodes(own).catch(() => undefined);

/** `starts`: how often the work on jobs is started by the decision. */
const requests: readonly [what: string, request: Request, starts: number, perLine?: boolean][] = [
  ['a registration', register, 1],
  ['an order', place, 1],
  ['a line of an order', place, 1, true],
  ['a bulk change', changeAll, 1],
  ['an unlock', unlock, 0],
  ['a read of an auth code', readAuthCode, 0],
];

describe('the approval of', () => {
  const approvalsOf = async (sender: Sender) =>
    (await servicesOf(sender).approvals.list({ filter: {}, limit: 9 })).items;

  test.each(requests)(
    '%s has the customer of its caller, and other customers do not see it',
    async (_what, request, _starts, perLine) => {
      needApprovals(perLine);
      await request(servicesOf(web));

      expect(await approvalsOf(boss)).toMatchObject([{ caller: 'web', customer: 'acme' }]);
      expect(await approvalsOf(web)).toHaveLength(1);
      expect(await approvalsOf({ ...web, customer: 'bob' })).toEqual([]);
      expect(await approvalsOf({ ...web, customer: null, caller: 'other' })).toEqual([]);
    },
  );

  test.each(requests)(
    '%s starts the work on its job at once',
    async (_what, request, starts, perLine) => {
      needApprovals(perLine);
      await request(servicesOf(web));
      const [approval] = await approvalsOf(boss);
      started = 0;
      const { errors } = await servicesOf(boss).approvals.approve(approval?.id ?? '');

      expect([errors, started]).toEqual([[], starts]);
    },
  );

  test.each(requests.slice(0, 3))(
    '%s has the price of the customer and the cost',
    async (_what, request, _starts, perLine) => {
      needApprovals(perLine);
      const list = createPriceList(parsePrices('{"rules":[{"margin":"100"}]}'));
      Object.assign(tenant.deps, { quotes: createQuotes(() => list, tenant.clock) });
      await request(servicesOf(web));

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
      async (services) => {
        await place(services);
        await services.orders.cancel({ key: 'order' });
      },
      (services) => {
        const lines = [{ position: 0, registrant: { fields: ada } }];
        return services.orders.retry({ key: 'order' }, { idempotencyKey: 'again', lines });
      },
    ],
    [
      'a bulk change that is retried',
      async (services) => {
        await changeAll(services);
        await services.bulkChanges.cancel({ key: 'change' });
      },
      (services) => services.bulkChanges.retry({ key: 'change' }),
    ],
  ])('of %s', async (_what, before, request) => {
    await before(servicesOf(web));
    started = 0;
    await request(servicesOf(web));

    expect(started).toBe(1);
  });

  test('of a purchase that is cancelled before its approval', async () => {
    needApprovals();
    const { purchase } = await servicesOf(web).registration.register(registration);
    started = 0;
    const { errors } = await servicesOf(web).purchases.cancel({ id: purchase?.id ?? '' });

    expect([errors, started]).toEqual([[], 1]);
  });
});
