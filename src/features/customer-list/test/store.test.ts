import { expect, test } from 'vitest';
import {
  a,
  account,
  b,
  c,
  claimNumber,
  minute,
  moveTo,
  otherAccount,
  unlimited,
} from '../../../../test/persistence/claims.ts';
import { describeStore } from '../../../../test/persistence/drivers.ts';
import { useStore } from '../../../../test/persistence/journal-store.ts';
import { money } from '../../../kernel/money.ts';
import type { PurchaseState } from '../../../kernel/purchase-states.ts';
import type { Journal } from '../../../persistence/journal.ts';
import type { Claim } from '../../../persistence/purchase-record.ts';
import { createCustomerListStore } from '../store.ts';
import { customerPurchasesTable, customersTable } from '../table.ts';

const tables = [customersTable, customerPurchasesTable];

describeStore('the list of customers', (createStore) => {
  const { connect } = useStore(createStore);
  let journal: Journal;
  const store = () => createCustomerListStore(journal.database);
  const namesOf = async (of = account) =>
    (await store().list(of, { limit: 10 })).map(({ name }) => name);
  const counted = async (...customers: readonly string[]) =>
    (await store().purchases(account, customers))
      .filter(({ purchases }) => purchases !== 0)
      .map((one) => [
        one.customer,
        `${one.priceAmount} ${one.priceCurrency}`,
        `${one.costAmount} ${one.costCurrency}`,
        one.purchases,
      ])
      .sort();
  let number = 0;
  const buy = async (
    customer: string | null,
    state: PurchaseState,
    changes: Partial<Claim> = {},
  ) => {
    number += 1;
    const claim = claimNumber(number, { customer, ...changes });
    await journal.claim(claim, unlimited);
    await moveTo(journal, claim.id, state);
    return claim.id;
  };

  const openAll = async () => {
    journal = await connect(tables);
  };

  test('has each customer to whom a domain was assigned, by name, also one that has none now', async () => {
    await openAll();
    const { customers } = journal;
    await customers.assign(account, [a, b], 'bolt', minute(1));
    await customers.assign(account, [c], null, minute(1));
    await customers.assign(account, [b], 'acme', minute(2));
    await customers.assignPurchased({
      ...{ account, domain: c, customer: 'zebra', claimedAt: minute(3) },
    });
    await customers.assign(account, [a], null, minute(4));
    await customers.assign(otherAccount, [a], 'other', minute(1));

    expect(await namesOf()).toEqual(['acme', 'bolt', 'zebra']);
    expect(await namesOf(otherAccount)).toEqual(['other']);
    expect(await store().count(account)).toBe(3);
    expect(await store().list(account, { filter: { name: 'bolt' }, limit: 10 })).toEqual([
      { name: 'bolt' },
    ]);
    expect(await store().list(account, { after: 'acme', limit: 1 })).toEqual([{ name: 'bolt' }]);
  });

  test('counts the purchases that the registrar accepted, by price and cost', async () => {
    await openAll();
    const retail = { price: money('30.99', 'EUR'), rule: 1, rate: null };
    await buy('acme', 'SUCCEEDED');
    await buy('acme', 'SUCCEEDED', { retail });
    const transfer = await buy('acme', 'IN_PROGRESS', { kind: 'TRANSFER' });
    await buy('acme', 'SUCCEEDED', { cost: null });
    for (const state of ['CLAIMED', 'SENDING', 'PENDING', 'FAILED', 'UNKNOWN'] as const) {
      await buy('acme', state);
    }
    await buy('bolt', 'SUCCEEDED');
    await buy(null, 'SUCCEEDED');
    await buy('acme', 'SUCCEEDED', { account: otherAccount });

    const others = [
      ['acme', ' ', ' ', 1],
      ['acme', '30.9900 EUR', '22.5800 USD', 1],
    ];
    const bolt = ['bolt', '22.5800 USD', '22.5800 USD', 1];
    expect(await counted('acme', 'bolt')).toEqual([
      ...others.slice(0, 1),
      ['acme', '22.5800 USD', '22.5800 USD', 2],
      ...others.slice(1),
      bolt,
    ]);
    await journal.move(transfer, ['IN_PROGRESS'], { to: 'FAILED', at: minute(60) });
    expect(await counted('acme')).toContainEqual(['acme', '22.5800 USD', '22.5800 USD', 1]);
  });

  test('has the customers and the purchases from before the feature', async () => {
    journal = await connect();
    await journal.customers.assign(account, [a, b], 'acme', minute(1));
    await buy('acme', 'SUCCEEDED');
    await buy('acme', 'SUCCEEDED');
    await buy('acme', 'FAILED');
    await openAll();

    expect(await counted('acme')).toEqual([['acme', '22.5800 USD', '22.5800 USD', 2]]);
    expect(await namesOf()).toEqual(['acme']);
  });
});
