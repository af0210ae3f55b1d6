import { Fault } from '../../kernel/faults.ts';
import { formatMoney } from '../../kernel/money.ts';
import { isAboutCosts } from '../../kernel/visibility.ts';
import type { OrderLineQuote, OrderQuote } from './quote-order.ts';

/** CONTINUE: lines do not depend on each other. STOP: after a failed line no other line is sent. */
export type OnFailure = 'CONTINUE' | 'STOP';

/** Whether nothing but the balance and limits in money can refuse the order. */
export function mayBePlaced({ lines, errors }: OrderQuote, onFailure: OnFailure): boolean {
  const isOpen = (line: OrderLineQuote) => line.errors.every(isAboutCosts);
  return (
    errors.every(isAboutCosts) && (onFailure === 'STOP' ? lines.every(isOpen) : lines.some(isOpen))
  );
}

/** The order in which each line that the balance does not cover has a fault, instead of the order as a whole. */
export function withinBalance({
  lines,
  errors,
}: Pick<OrderQuote, 'lines' | 'errors'>): Pick<OrderQuote, 'lines' | 'errors'> {
  const short = errors.filter(({ code }) => code === 'INSUFFICIENT_FUNDS');
  // The order is refused as a whole.
  if (short.length < errors.length) return { lines, errors };
  const left = new Map(
    short.flatMap(({ facts: { available } }) =>
      available ? [[available.currency, available] as const] : [],
    ),
  );
  const covered = lines.map((line): OrderLineQuote => {
    const highest = line.errors.length === 0 ? line.quote?.cost.highest : null;
    const available = highest && left.get(highest.currency);
    if (!highest || !available) return line;
    const rest = { ...available, amount: available.amount.minus(highest.amount) };
    if (!rest.amount.isNegative) {
      left.set(highest.currency, rest);
      return line;
    }
    const fault = new Fault('INSUFFICIENT_FUNDS', {
      message: `The price may be ${formatMoney(highest)}, and the lines before it leave ${formatMoney(available)} of the balance; top up the account first.`,
      facts: { required: highest, available },
    });
    return { ...line, errors: [fault] };
  });
  return { lines: covered, errors: errors.filter((fault) => !short.includes(fault)) };
}
