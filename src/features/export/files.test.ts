import fc from 'fast-check';
import { expect, test } from 'vitest';
import { claimNumber } from '../../../test/persistence/claims.ts';
import { withParts } from '../../../test/support/with-parts.ts';
import { anonymous } from '../../kernel/caller.ts';
import { Decimal, money } from '../../kernel/money.ts';
import type { PurchaseRecord } from '../../persistence/purchase-record.ts';
import type { Scope } from '../../scope/scope.ts';
import { exportStatement } from './files.ts';
import { ExportParameters } from './parameters.ts';
import type { Cell } from './table.ts';

const amount = fc
  .tuple(fc.nat(10 ** 12), fc.nat(9_999))
  .map(([whole, rest]) => `${whole}.${String(rest).padStart(4, '0')}`);
const price = fc
  .tuple(amount, fc.constantFrom('USD', 'EUR', 'TRY'))
  .map(([text, currency]) => money(text, currency));
const purchase = fc.record({
  customer: fc.constantFrom(null, 'acme', 'acme"', 'a,b'),
  caller: fc.constantFrom(null, 'shop', 'a'),
  kind: fc.constantFrom('REGISTRATION' as const, 'TRANSFER' as const),
  cost: price,
  retail: fc.option(price.map((one) => ({ price: one, rule: 0, rate: null }))),
});
type Purchase = typeof purchase extends fc.Arbitrary<infer One> ? One : never;

async function statementOf(accepted: readonly Purchase[], refunded: readonly Purchase[]) {
  const asRecord = (one: Purchase, at: number) =>
    ({ ...claimNumber(at), ...one }) as unknown as PurchaseRecord;
  const scope = {
    ...{ caller: anonymous, clock: { now: () => new Date(0) } },
    ...withParts({
      purchases: {
        async *charges({ kind }: { readonly kind: string }) {
          yield* (kind === 'ACCEPTED' ? accepted : refunded).map(asRecord);
        },
      },
    }),
  } as unknown as Scope;
  const table = await exportStatement(scope, new ExportParameters('?month=2026-11', ['month']));
  const rows: Record<string, Cell>[] = [];
  for await (const cells of table.rows) {
    rows.push(Object.fromEntries(table.columns.map((name, at) => [name, cells[at] ?? null])));
  }
  return rows;
}

const sumsOf = (amounts: readonly { readonly currency: Cell; readonly amount: Cell }[]) => {
  const sums = new Map<Cell, Decimal>();
  for (const one of amounts) {
    const sum = sums.get(one.currency) ?? Decimal.zero;
    sums.set(one.currency, sum.plus(one.amount as Decimal));
  }
  return new Map([...sums].map(([currency, sum]) => [currency, String(sum)]));
};

test('the sums of a statement are those of its purchases less its refunds, exactly, per currency', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(purchase), fc.array(purchase), async (accepted, refunded) => {
      const rows = await statementOf(accepted, refunded);

      const minus = ({ amount: one, currency }: { amount: Decimal; currency: string }) => ({
        currency,
        amount: Decimal.zero.minus(one),
      });
      const paid = (one: Purchase) => one.retail?.price ?? one.cost;
      expect(sumsOf(rows as never)).toEqual(
        sumsOf([...accepted.map(paid), ...refunded.map(paid).map(minus)]),
      );
      const costs = rows.map(({ cost, costCurrency }) => ({
        amount: cost,
        currency: costCurrency,
      }));
      expect(sumsOf(costs as never)).toEqual(
        sumsOf([
          ...accepted.map(({ cost }) => cost),
          ...refunded.map(({ cost }) => cost).map(minus),
        ]),
      );
      const keys = rows.map(({ customer, caller, kind, currency, costCurrency }) =>
        JSON.stringify([customer, caller, kind, currency, costCurrency]),
      );
      expect(new Set(keys).size).toBe(keys.length);
      const counted = rows.reduce((sum, { count }) => sum + (count as number), 0);
      expect(counted).toBe(accepted.length + refunded.length);
    }),
    { numRuns: 50 },
  );
});
