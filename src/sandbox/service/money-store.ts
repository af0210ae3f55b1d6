import { Decimal } from '../../kernel/money.ts';
import type { Database, Row } from './database.ts';

interface Purchase {
  readonly kind: 'register' | 'transfer' | 'refund';
  readonly domain: string;
  /** Years. */
  readonly period: number;
  readonly price: Decimal;
  readonly currency: string;
  readonly atMs: number;
}

/** Balances, and the ledger of purchases. */
export function createMoneyStore({ all, get, run }: Database) {
  const balance = (reseller: number, currency: string): Decimal | null => {
    const row = get(
      'SELECT amount FROM balances WHERE reseller = ? AND currency = ?',
      reseller,
      currency,
    );
    return row ? Decimal.parse(String(row.amount)) : null;
  };

  return {
    /** Null for a currency without a balance. */
    balance,
    balances: (reseller: number) =>
      all(
        'SELECT amount AS balance, currency, symbol FROM balances WHERE reseller = ? ORDER BY currency DESC',
        reseller,
      ),
    setBalance: (reseller: number, currency: string, symbol: string, amount: string) =>
      run(
        `INSERT INTO balances (reseller, currency, symbol, amount) VALUES (?, ?, ?, ?)
         ON CONFLICT (reseller, currency) DO UPDATE SET amount = excluded.amount`,
        ...[reseller, currency, symbol, Decimal.parse(amount).toString()],
      ),
    /** Takes the price from the balance, or adds a refund, and writes the ledger. Call it inside a transaction. */
    book(reseller: number, { kind, domain, period, price, currency, atMs }: Purchase): void {
      const before = balance(reseller, currency);
      if (!before) throw new Error(`Reseller ${reseller} has no balance in ${currency}.`);
      const after = kind === 'refund' ? before.plus(price) : before.minus(price);
      if (after.isNegative) throw new Error(`Reseller ${reseller} would owe ${currency}.`);
      run(
        'UPDATE balances SET amount = ? WHERE reseller = ? AND currency = ?',
        ...[after.toString(), reseller, currency],
      );
      run(
        `INSERT INTO purchases (reseller, kind, domain, period, price, currency, at, balance_after)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
        ...[reseller, kind, domain, period, price.toString(), currency, atMs, after.toString()],
      );
    },
    /** The ledger, oldest first; `at` is ISO 8601. */
    purchases: (reseller: number): readonly Row[] =>
      all(
        `SELECT id, kind, domain, period, price, currency, at, balance_after AS balanceAfter
         FROM purchases WHERE reseller = ? ORDER BY id`,
        reseller,
      ).map((row) => ({ ...row, at: new Date(Number(row.at)).toISOString() })),
  };
}
