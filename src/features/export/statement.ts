import { mayAny, mayKnowCosts } from '../../kernel/caller.ts';
import { invalidInput } from '../../kernel/faults.ts';
import { Decimal } from '../../kernel/money.ts';
import { purchases } from '../../modules/purchase/service.ts';
import type { PurchaseRecord } from '../../persistence/purchase-record.ts';
import type { Scope } from '../../scope/scope.ts';
import type { ExportParameters } from './parameters.ts';
import { priceOf } from './purchases.ts';
import { createTable, plain, type Table, type TableColumns } from './table.ts';

type Kind = 'REGISTRATION' | 'TRANSFER' | 'REFUND';

/** The purchases or refunds of a month that have these texts in common. The amounts of refunds are negative. */
interface StatementRow {
  readonly customer: string | null;
  readonly caller: string | null;
  readonly kind: Kind;
  readonly currency: string | null;
  readonly costCurrency: string | null;
  count: number;
  amount: Decimal;
  cost: Decimal;
}

const columns: TableColumns<StatementRow> = {
  ...plain('customer', 'caller', 'kind', 'currency', 'count'),
  amount: ({ amount, currency }) => currency && amount,
  cost: ({ cost, costCurrency }) => costCurrency && cost,
  costCurrency: ({ costCurrency }) => costCurrency,
};

/** The sums of what the registrar accepted and refunded in a month, by customer, caller, kind and currency. */
export async function exportStatement(scope: Scope, parameters: ExportParameters): Promise<Table> {
  const { use, caller, clock } = scope;
  const span = spanOf(parameters.value('month'));
  const seesCosts = mayKnowCosts(caller);
  const rows = new Map<string, StatementRow>();
  const add = (purchase: PurchaseRecord, kind: Kind) => {
    const [price, cost] = [priceOf(purchase), seesCosts ? purchase.cost : null];
    const by = {
      customer: purchase.customer,
      caller: purchase.caller === caller.name || mayAny(caller, ['ops']) ? purchase.caller : null,
      kind,
      currency: price?.currency ?? null,
      costCurrency: cost?.currency ?? null,
    };
    const key = JSON.stringify(Object.values(by).map((text) => text ?? ''));
    const row = rows.get(key) ?? { ...by, count: 0, amount: Decimal.zero, cost: Decimal.zero };
    rows.set(key, row);
    const plus = (sum: Decimal, amount: Decimal | undefined) => {
      if (!amount) return sum;
      return kind === 'REFUND' ? sum.minus(amount) : sum.plus(amount);
    };
    row.count += 1;
    row.amount = plus(row.amount, price?.amount);
    row.cost = plus(row.cost, cost?.amount);
  };
  const { customer } = parameters;
  const filter = { ...span, ...(customer !== null && { customer }) };
  const { charges } = use(purchases);
  for await (const one of charges({ ...filter, kind: 'ACCEPTED' })) add(one, one.kind);
  for await (const one of charges({ ...filter, kind: 'REFUNDED' })) add(one, 'REFUND');
  const sorted = [...rows].sort(([one], [other]) => (one < other ? -1 : 1));
  return createTable(
    columns,
    sorted.map(([, row]) => row),
    { asOf: clock.now(), complete: true },
  );
}

/** @throws Fault `INVALID_INPUT` unless it is a calendar month such as `2026-11`; months are in UTC. */
function spanOf(month: string | null): { readonly from: Date; readonly until: Date } {
  const [, year, number] = /^(20\d\d)-(0[1-9]|1[0-2])$/.exec(month ?? '') ?? [];
  if (year === undefined) {
    throw invalidInput('Add the month of the statement, such as "?month=2026-11".');
  }
  const start = (months: number) => new Date(Date.UTC(Number(year), Number(number) - 1 + months));
  return { from: start(0), until: start(1) };
}
