import { beforeEach, describe, expect, test } from 'vitest';
import type { DomainName } from '../../src/kernel/domain-name.ts';
import type { CustomerStore } from '../../src/persistence/customer-store.ts';
import type { Journal } from '../../src/persistence/journal.ts';
import type { Charge, ChargeFilter } from '../../src/persistence/purchase-queries.ts';
import type { PurchaseState } from '../../src/persistence/purchase-record.ts';
import {
  a,
  account,
  b,
  c,
  claimNumber,
  idsOf,
  minute,
  name,
  otherAccount,
  unlimited,
} from './claims.ts';
import { type JournalStore, useStore } from './journal-store.ts';

/** The contract of every driver about customers and labels of domains, and about the charges in a span of time. */
export function describeCustomers(driver: string, createStore: () => Promise<JournalStore>): void {
  describe(`customers on ${driver}`, () => {
    const { connect } = useStore(createStore);
    let journal: Journal;
    let customers: CustomerStore;

    beforeEach(async () => {
      journal = await connect();
      ({ customers } = journal);
    });

    const customersOf = async (...names: readonly DomainName[]) => {
      const found = await customers.of(account, names);
      return Object.fromEntries(found.map(({ domain, customer }) => [domain, customer]));
    };
    const labelsOf = async (domain: DomainName) =>
      (await customers.labels(account, [domain])).map((one) => `${one.name}=${one.value}`);
    const buy = (customer: string | null, claimedAt: number) =>
      customers.assignPurchased({ account, domain: a, customer, claimedAt: minute(claimedAt) });

    test('domains have the customer that was set last, in one account', async () => {
      await customers.assign(account, [a, b], 'acme', minute(1));
      await customers.assign(otherAccount, [c], 'acme', minute(1));
      await customers.assign(account, [b], 'Café 🏠', minute(2));
      await customers.assign(account, [c], null, minute(2));

      expect(await customersOf(a, b, c)).toEqual({ [a]: 'acme', [b]: 'Café 🏠' });
      await customers.assign(account, [a, b], null, minute(3));
      expect(await customersOf(a, b, c)).toEqual({});
    });

    test('the domains of a customer and of a label come in pages by name', async () => {
      await customers.assign(account, [c, a, b], 'acme', minute(1));
      await customers.assign(account, [name('d.com')], 'other', minute(1));
      const labels = [a, b, c].map((domain) => ({ domain, name: 'team', value: String(domain) }));
      await customers.label(account, labels, minute(1));

      expect(await customers.domains(account, 'acme', null, 2)).toEqual([a, b]);
      expect(await customers.domains(account, 'acme', b, 2)).toEqual([c]);
      const any = { name: 'team', value: null };
      expect(await customers.labelled(account, any, null, 2)).toEqual([a, b]);
      expect(await customers.labelled(account, any, b, 2)).toEqual([c]);
      expect(await customers.labelled(account, { ...any, value: 'b.com' }, null, 2)).toEqual([b]);
      expect(await customers.labelled(account, { ...any, value: '' }, null, 2)).toEqual([]);
      expect(await customers.labelled(otherAccount, any, null, 2)).toEqual([]);
    });

    test('labels are set, replaced and removed by their names', async () => {
      const set = (value: string, ...names: readonly string[]) =>
        customers.label(
          account,
          names.map((one) => ({ domain: a, name: one, value })),
          minute(1),
        );
      await set('1', 'y', 'x', 'z');
      await set("'; drop table domain_labels; --", 'x');
      await customers.unlabel(account, [a, b], ['z', 'unknown']);

      expect(await labelsOf(a)).toEqual(["x='; drop table domain_labels; --", 'y=1']);
      expect(await labelsOf(b)).toEqual([]);
    });

    test('as many labels as one request has are set by one statement', async () => {
      const domains = Array.from({ length: 500 }, (_, at) => name(`name-${at}.com`));
      const labels = domains.flatMap((domain) =>
        Array.from({ length: 20 }, (_, at) => ({ domain, name: `label ${at}`, value: '' })),
      );
      await customers.label(account, labels, minute(1));

      const found = await customers.labels(account, domains);
      expect(found).toHaveLength(10_000);
    });

    test('a purchase sets the customer and removes earlier labels, also when it is repeated', async () => {
      await customers.assign(account, [a], 'before', minute(1));
      await customers.label(account, [{ domain: a, name: 'old', value: '' }], minute(1));
      await buy('acme', 2);
      await buy('acme', 2);
      await customers.label(account, [{ domain: a, name: 'new', value: '' }], minute(3));
      await buy('acme', 2);

      expect(await customersOf(a)).toEqual({ [a]: 'acme' });
      expect(await labelsOf(a)).toEqual(['new=']);
    });

    test('a purchase for the reseller removes an earlier customer', async () => {
      await customers.assign(account, [a], 'before', minute(1));
      await buy(null, 2);
      expect(await customersOf(a)).toEqual({});
    });

    test.each([
      ['a later customer', 'later'],
      ['that the domain was given back to the reseller later', null],
    ])('a purchase does not replace %s', async (_what, later) => {
      await buy('acme', 2);
      await customers.assign(account, [a], later, minute(3));
      await buy('acme', 2);
      await buy(null, 2);
      expect(await customersOf(a)).toEqual(later === null ? {} : { [a]: later });
    });

    test('charges are found by their own times, in pages', async () => {
      const settle = async (at: number, to: PurchaseState, minutes: number, refunded?: boolean) => {
        const { id } = claimNumber(at);
        const customer = at % 2 === 0 ? 'acme' : null;
        await journal.claim(claimNumber(at, { caller: `key-${at}`, customer }), unlimited);
        const times = { callUntil: minute(minutes), quietUntil: minute(minutes) };
        await journal.move(id, ['CLAIMED'], { to: 'SENDING', at: minute(minutes), ...times });
        if (refunded === undefined) {
          await journal.move(id, ['SENDING'], { to, at: minute(minutes) });
          return;
        }
        const nextReadAt = minute(minutes + 1);
        await journal.move(id, ['SENDING'], { to: 'IN_PROGRESS', at: minute(minutes), nextReadAt });
        await journal.move(id, ['IN_PROGRESS'], { to, at: minute(minutes + 20), refunded });
      };
      await settle(1, 'SUCCEEDED', 20);
      await settle(2, 'FAILED', 10, true);
      await settle(3, 'FAILED', 11, false);
      await settle(4, 'FAILED', 12);
      await settle(5, 'SUCCEEDED', 39);

      expect(await journal.firstCharge(account)).toEqual(minute(10));
      const charges = async (step: Charge['step'], changes: Partial<ChargeFilter> = {}) => {
        const filter = { from: minute(10), until: minute(39), ...changes };
        const page = (after: Charge | undefined, limit: number) =>
          journal.charges(account, step, filter, { after, limit });
        const first = await page(undefined, 2);
        const rest = await page(first.at(-1), 10);
        return idsOf([...first, ...(first.length > 0 ? rest : [])]);
      };
      const [one, two, three] = ['operation-001', 'operation-002', 'operation-003'];
      expect(await charges('ACCEPTED')).toEqual([two, three, one]);
      expect(await charges('ACCEPTED', { caller: 'key-3' })).toEqual([three]);
      expect(await charges('ACCEPTED', { customer: 'acme' })).toEqual([two]);
      expect(await charges('REVERSED')).toEqual([two, three]);
      expect(await charges('REVERSED', { until: minute(31) })).toEqual([two]);
      const span = { from: minute(0), until: minute(99) };
      const page = { after: undefined, limit: 9 };
      expect(await journal.charges(otherAccount, 'ACCEPTED', span, page)).toEqual([]);
      expect(await journal.firstCharge(otherAccount)).toBeNull();
      const reversed = await journal.charges(account, 'REVERSED', span, page);
      expect(reversed.map(({ isReturned }) => isReturned)).toEqual([true, false]);
      const filter = { customer: 'acme' };
      expect(idsOf(await journal.list(account, { filter, limit: 9 }))).toEqual([
        'operation-004',
        two,
      ]);
    });
  });
}
