import { type AccessScope, mayAny, mayKnowCosts, purchaseScopes } from '../../kernel/caller.ts';
import { invalidInput } from '../../kernel/faults.ts';
import { globalId, shownKey } from '../../kernel/ids.ts';
import type { Money } from '../../kernel/money.ts';
import { shownState } from '../../kernel/purchase-states.ts';
import { withoutAmounts, withoutTotals } from '../../kernel/visibility.ts';
import { shownJobId } from '../../modules/purchase/parts.ts';
import { purchases } from '../../modules/purchase/service.ts';
import { type ChargeSum, sumCharges } from '../../modules/purchase/sums.ts';
import { pricing } from '../../modules/quote/quotes.ts';
import { tldReads } from '../../modules/tld/loader.ts';
import type { Charge } from '../../persistence/purchase-queries.ts';
import type { PurchaseRecord } from '../../persistence/purchase-record.ts';
import type { Scope } from '../../scope/scope.ts';
import type { TldPrice } from '../../upstream/domain-api/tld-shapes.ts';
import type { ExportParameters } from './parameters.ts';
import { createTable, plain, type Table, type TableColumns } from './table.ts';

export interface ExportFile {
  /** The caller needs one of these scopes, as for the same data in the graph. */
  readonly needed: readonly AccessScope[];
  /** Upstream calls without cached data. */
  readonly upstreamCalls: number;
  readonly parameters: readonly string[];
  /** @throws Fault when the list cannot be read. */
  readonly open: (scope: Scope, parameters: ExportParameters) => Promise<Table>;
  /** The feature without which it does not exist. */
  readonly with?: string;
}

const bought = { needed: purchaseScopes, upstreamCalls: 0 };
const priced = { needed: ['domains:check'], upstreamCalls: 1 } as const;

/** By file name. A name with `.csv` is a file of CSV, any other one of JSON lines. */
export const exportFiles: Record<string, ExportFile> = {
  'purchases.csv': { ...bought, parameters: ['customer'], open: exportPurchases },
  'statement.csv': { ...bought, parameters: ['month', 'customer'], open: exportStatement },
  'prices.csv': { ...priced, parameters: [], open: exportPrices },
};

interface PriceRow extends Omit<TldPrice, 'price'> {
  /** Null without a retail price. */
  readonly price: Money | null;
  /** Null for a caller who must not know it. */
  readonly cost: Money | null;
  readonly tld: string;
}

const priceColumns: TableColumns<PriceRow> = {
  ...plain('tld', 'operation', 'period'),
  amount: ({ price }) => price?.amount ?? null,
  currency: ({ price }) => price?.currency ?? null,
  ...plain('upstreamOperation'),
  cost: ({ cost }) => cost?.amount ?? null,
  costCurrency: ({ cost }) => cost?.currency ?? null,
};

async function exportPrices({ use, cachedReads, clock, caller }: Scope): Promise<Table> {
  const { tlds, complete } = await use(tldReads).catalogue();
  const ageMs = Math.max(0, ...cachedReads.map((read) => read.ageMs));
  const asOf = new Date(clock.now().getTime() - ageMs);
  const seesCosts = mayKnowCosts(caller);
  const rows = function* (): Generator<PriceRow> {
    for (const tld of tlds.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
      for (const row of tld.prices) {
        const { price = null, cost = null } = use(pricing).row(tld, row) ?? {};
        yield { ...row, tld: tld.name, price, cost: seesCosts ? cost : null };
      }
    }
  };
  return createTable(priceColumns, rows(), { asOf, complete });
}

/** What the customer pays. */
const priceOf = ({ retail, cost }: PurchaseRecord) => retail?.price ?? cost;

/** The fields of `Purchase` in the graph. */
function columnsOf({ use, caller, hidesCosts, hidesTotals }: Scope): TableColumns<PurchaseRecord> {
  const { viewOf, transferProgressOf } = use(purchases);
  const errorOf = (purchase: PurchaseRecord) => {
    const [fault] = viewOf(purchase).errors;
    return fault && hidesTotals ? withoutTotals(fault) : fault;
  };
  const seesCallers = mayAny(caller, ['ops']);
  const seesCosts = mayKnowCosts(caller);
  return {
    id: ({ id }) => globalId('Purchase', id),
    ...plain('kind', 'domain', 'period'),
    state: (purchase) => shownState(viewOf(purchase).state),
    price: (purchase) => priceOf(purchase)?.amount ?? null,
    currency: (purchase) => priceOf(purchase)?.currency ?? null,
    caller: (purchase) => (seesCallers ? purchase.caller : null),
    key: ({ key }) => shownKey(key),
    createdAt: ({ claimedAt }) => claimedAt,
    settledAt: ({ settledAt }) => settledAt,
    errorCode: (purchase) => errorOf(purchase)?.code ?? null,
    executed: (purchase) => errorOf(purchase)?.executed ?? null,
    refunded: (purchase) => transferProgressOf(purchase)?.refunded ?? null,
    cost: ({ cost }) => (seesCosts ? (cost?.amount ?? null) : null),
    costCurrency: ({ cost }) => (seesCosts ? (cost?.currency ?? null) : null),
    orderId: ({ orderId }) => orderId && use(shownJobId)(orderId),
    orderLine: ({ orderLine }) => orderLine,
    upstreamCode: (purchase) => errorOf(purchase)?.upstream?.code || null,
    upstreamMessage(purchase) {
      const message = errorOf(purchase)?.upstream?.message || null;
      return message && hidesCosts ? withoutAmounts(message) : message;
    },
    customer: ({ customer }) => customer,
  };
}

/** The visible purchases, newest first. They are read while the file is sent. */
async function exportPurchases(scope: Scope, { customer }: ExportParameters): Promise<Table> {
  const { use, clock } = scope;
  const rows = use(purchases).all(customer === null ? {} : { customer });
  return createTable(columnsOf(scope), rows, { asOf: clock.now(), complete: true });
}

type StatementRow = ChargeSum & Pick<Charge, 'customer' | 'caller' | 'kind'>;

const statementColumns: TableColumns<StatementRow> = {
  ...plain('customer', 'caller', 'kind', 'currency', 'count', 'paid', 'refunded', 'spent'),
  ...plain('costCurrency', 'margin'),
};

/** The sums of the charges of a month, by customer, caller, kind and currencies. */
async function exportStatement(scope: Scope, parameters: ExportParameters): Promise<Table> {
  const { use, caller, clock } = scope;
  const span = spanOf(parameters.value('month'));
  const { customer } = parameters;
  const charges = use(purchases).charges({ ...span, ...(customer !== null && { customer }) });
  const seesCallers = mayAny(caller, ['ops']);
  const rows = await sumCharges(caller, charges, (charge) => ({
    customer: charge.customer,
    caller: charge.caller === caller.name || seesCallers ? charge.caller : null,
    kind: charge.kind,
  }));
  return createTable(statementColumns, rows, { asOf: clock.now(), complete: true });
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
