import { describe, expect, test } from 'vitest';
import { balances } from '../../../test/support/modules/journal-tenant.ts';
import { Fault } from '../../kernel/faults.ts';
import { money } from '../../kernel/money.ts';
import { balanceIn } from './balance.ts';

const broken = new Fault('UPSTREAM_PROTOCOL');
const balance = (amount: string, currency: string) => balances(amount, currency).balance;

describe('the balance in a currency', () => {
  test('is the main balance or the first one of the others', () => {
    const others = [balance('7', 'EUR'), balance('8', 'EUR'), balance('9', 'USD')];
    const account = balances('100', 'USD', others);

    expect(balanceIn(account, 'USD')).toEqual(money('100', 'USD'));
    expect(balanceIn(account, 'EUR')).toEqual(money('7', 'EUR'));
    expect(balanceIn(account, 'TRY')).toBeNull();
  });

  test('is found beside balances that cannot be read', () => {
    expect(balanceIn(balances('100', 'USD', broken), 'USD')).toEqual(money('100', 'USD'));
    expect(balanceIn(balances('100', 'USD', broken), 'EUR')).toBeNull();
    expect(balanceIn(balances(broken, '', [balance('7', 'EUR')]), 'EUR')).toEqual(
      money('7', 'EUR'),
    );
  });
});
