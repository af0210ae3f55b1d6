import { Decimal } from '../kernel/money.ts';
import type { Database } from './database.ts';

export interface Balance {
  readonly balance: string;
  readonly currency: string;
  readonly symbol: string;
}

export interface Purchase {
  readonly kind: 'register' | 'transfer' | 'refund';
  readonly domain: string;
  /** Years. */
  readonly period: number;
  readonly price: Decimal;
  readonly currency: string;
  readonly atMs: number;
}

export interface MoneyStore {
  balances(reseller: number): readonly Balance[];
  /** Null for a currency in which the account holds nothing at all. */
  balance(reseller: number, currency: string): Decimal | null;
  /** Moves the price out of the balance (a refund: into it) and writes the ledger. Call it inside a transaction. */
  book(reseller: number, purchase: Purchase): void;
  setBalance(reseller: number, currency: string, symbol: string, amount: string): void;
  /** The ledger, oldest first; `at` is ISO 8601. */
  purchases(reseller: number): readonly Readonly<Record<string, unknown>>[];
}

export function createMoneyStore(database: Database): MoneyStore {
  const sql = {
    all: database.prepare(
      'SELECT amount AS balance, currency, symbol FROM balances WHERE reseller = ? ORDER BY currency DESC',
    ),
    one: database.prepare('SELECT amount FROM balances WHERE reseller = ? AND currency = ?'),
    update: database.prepare('UPDATE balances SET amount = ? WHERE reseller = ? AND currency = ?'),
    set: database.prepare(
      `INSERT INTO balances (reseller, currency, symbol, amount) VALUES (?, ?, ?, ?)
       ON CONFLICT (reseller, currency) DO UPDATE SET amount = excluded.amount`,
    ),
    book: database.prepare(
      `INSERT INTO purchases (reseller, kind, domain, period, price, currency, at, balance_after)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    purchases: database.prepare(
      `SELECT id, kind, domain, period, price, currency, at, balance_after AS balanceAfter
       FROM purchases WHERE reseller = ? ORDER BY id`,
    ),
  };
  const balance = (reseller: number, currency: string) => {
    const row = sql.one.get(reseller, currency);
    return row ? Decimal.parse(String(row.amount)) : null;
  };

  return {
    balances: (reseller) =>
      sql.all.all(reseller).map((row) => ({ ...row })) as unknown as Balance[],
    balance,
    book(reseller, { kind, domain, period, price, currency, atMs }) {
      const before = balance(reseller, currency);
      if (!before) throw new Error(`Reseller ${reseller} has no balance in ${currency}.`);
      const after = kind === 'refund' ? before.plus(price) : before.minus(price);
      if (after.isNegative) throw new Error(`Reseller ${reseller} would owe ${currency}.`);
      sql.update.run(after.toString(), reseller, currency);
      sql.book.run(
        reseller,
        kind,
        domain,
        period,
        price.toString(),
        currency,
        atMs,
        after.toString(),
      );
    },
    setBalance: (reseller, currency, symbol, amount) =>
      void sql.set.run(reseller, currency, symbol, Decimal.parse(amount).toString()),
    purchases: (reseller) =>
      sql.purchases
        .all(reseller)
        .map((row) => ({ ...row, at: new Date(Number(row.at)).toISOString() })),
  };
}
