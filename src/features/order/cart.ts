import { Fault, type FaultCode, invalidInput } from '../../kernel/faults.ts';
import { Decimal, formatMoney } from '../../kernel/money.ts';
import { several } from '../../lib/several.ts';
import type { CartItemInput } from '../../modules/account-api/service.ts';
import { createChecks } from '../../modules/mutation/checks.ts';
import type { PurchaseFlowDeps } from '../../modules/purchase/flow.ts';
import { faultOfLine } from '../../modules/purchase/line-fault.ts';
import { withCustomers } from './line-customers.ts';
import { type OrderLineQuote, type QuoteOrderInput, quoteOrder } from './quote-order.ts';

/** A cart buys nothing, so money that is missing now does not refuse it. */
const onlyOfPurchases: ReadonlySet<FaultCode> = new Set([
  'INSUFFICIENT_FUNDS',
  'SPEND_LIMIT_EXCEEDED',
  'PURCHASES_STOPPED',
]);

const one = Decimal.parse('1');

/**
 * The items of a cart with the exact prices of an order.
 *
 * @throws Problems when a line cannot be bought, when its price is an estimate, and for prices in several currencies, because
 * a cart states none.
 */
export async function cartItems(
  deps: PurchaseFlowDeps,
  input: QuoteOrderInput,
): Promise<readonly CartItemInput[]> {
  const { lines, totals, errors } = await quoteOrder(deps, withCustomers(input, deps.caller));
  const checks = createChecks();
  const items: CartItemInput[] = [];
  for (const fault of [...errors, ...lines.flatMap((line) => line.errors)]) {
    if (!onlyOfPurchases.has(fault.code)) checks.add(fault);
  }
  for (const line of lines) {
    const { certainty, highest } = line.quote ?? {};
    if (certainty === 'LISTED' && highest) items.push(toItem(line, highest.amount));
    else if (certainty === 'ESTIMATED') checks.add(estimated(line));
  }
  if (totals.length > 1) {
    const currencies = totals.map(({ highest }) => highest.currency).join(', ');
    const message = `A cart has one currency; the prices of these lines are in ${currencies}.`;
    checks.add(invalidInput(message, { path: ['input', 'lines'] }));
  }
  checks.finish();
  return items;
}

const operationOf = { REGISTRATION: 'registration', TRANSFER: 'transfer' } as const;

const toItem = ({ kind, domain, quote }: OrderLineQuote, unitPrice: Decimal): CartItemInput => ({
  description: `${domain}, ${operationOf[kind]}, ${several(quote?.period ?? 0, 'year')}`,
  productType: `domain ${operationOf[kind]}`,
  quantity: one,
  unitPrice,
});

function estimated({ kind, position, domain, quote }: OrderLineQuote): Fault {
  const range = [quote?.lowest, quote?.highest].map((price) => price && formatMoney(price));
  const message = `The price of ${several(quote?.period ?? 0, 'year')} of ${domain} is an estimate from ${range.join(' to ')}, and a cart needs one price. Choose a period whose quote is LISTED.`;
  return faultOfLine(
    new Fault('PRICE_UNAVAILABLE', { message, path: ['input', 'period'] }),
    kind,
    position,
  );
}
