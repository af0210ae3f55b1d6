import { invalidInput } from '../../src/kernel/faults.ts';
import { Decimal } from '../../src/kernel/money.ts';
import type { SandboxDatabase } from './database.ts';

interface Balance {
  /** Reseller and currency. */
  readonly id: string;
  readonly reseller: number;
  readonly currency: string;
  readonly symbol: string;
  readonly balance: string;
}

interface StoredPurchase {
  readonly id: number;
  readonly reseller: number;
  readonly kind: 'register' | 'transfer' | 'refund';
  readonly domain: string;
  /** Years. */
  readonly period: number;
  readonly price: string;
  readonly currency: string;
  /** ISO 8601. */
  readonly at: string;
  readonly balanceAfter: string;
}

/** Balances, and the ledger of purchases. */
export function createMoneyStore({ table }: SandboxDatabase) {
  const balances = table<Balance>('balances');
  const ledger = table<StoredPurchase>('purchases');
  const find = (reseller: number, currency: string) =>
    balances.find({ id: `${reseller} ${currency}` });

  return {
    /** Null for a currency without a balance. */
    balance(reseller: number, currency: string): Decimal | null {
      const found = find(reseller, currency);
      return found ? Decimal.parse(found.balance) : null;
    },
    balances: (reseller: number) =>
      balances
        .list({ reseller })
        .map(({ balance, currency, symbol }) => ({ balance, currency, symbol })),
    addBalance: (balance: Omit<Balance, 'id'>) =>
      balances.save({ id: `${balance.reseller} ${balance.currency}`, ...balance }),
    /** @throws Fault `INVALID_INPUT` for a currency without a balance. */
    setBalance(reseller: number, currency: string, balance: Decimal): void {
      const found = find(reseller, currency);
      if (!found) throw invalidInput(`The reseller has no balance in ${currency}.`);
      balances.save({ ...found, balance: balance.toString() });
    },
    /** Takes the price from the balance, or adds a refund, and writes the ledger. Call it inside a transaction. */
    book(purchase: Omit<StoredPurchase, 'id' | 'balanceAfter'>): void {
      const { reseller, kind, currency } = purchase;
      const found = find(reseller, currency);
      if (!found) throw new Error(`Reseller ${reseller} has no balance in ${currency}.`);
      const before = Decimal.parse(found.balance);
      const price = Decimal.parse(purchase.price);
      const after = kind === 'refund' ? before.plus(price) : before.minus(price);
      if (after.isNegative) throw new Error(`Reseller ${reseller} would owe ${currency}.`);
      const balance = after.toString();
      balances.save({ ...found, balance });
      ledger.add({ ...purchase, balanceAfter: balance });
    },
    /** The ledger, oldest first. */
    purchases: (reseller: number) =>
      ledger.list({ reseller }).map(({ reseller: _, ...purchase }) => purchase),
  };
}
