import { expect, test } from 'vitest';
import { Fault } from '../../kernel/faults.ts';
import { money } from '../../kernel/money.ts';
import type { OrderLineQuote } from './quote-order.ts';
import { withinBalance } from './within-balance.ts';

/** A line whose price is twice its cost, in another currency. */
const line = (cost: number, currency: string, errors: readonly Fault[] = []) =>
  ({
    quote: {
      highest: money(String(2 * cost), 'GBP'),
      cost: { highest: money(String(cost), currency) },
    },
    errors,
  }) as unknown as OrderLineQuote;
const short = (available: string, currency: string) =>
  new Fault('INSUFFICIENT_FUNDS', { facts: { available: money(available, currency) } });

test('the lines that the balance of their currency does not cover have a fault, by their costs', () => {
  const taken = new Fault('NOT_AVAILABLE');
  const order = {
    lines: [
      line(10, 'USD'),
      line(10, 'EUR'),
      line(10, 'USD', [taken]),
      line(11, 'USD'),
      line(10, 'USD'),
      line(10, 'EUR'),
      line(99, 'TRY'),
    ],
    errors: [short('20', 'USD'), short('10', 'EUR')],
  };

  const { lines, errors } = withinBalance(order);

  expect(errors).toEqual([]);
  expect(lines.map((one) => one.errors.map(({ code }) => code))).toEqual([
    ...[[], [], ['NOT_AVAILABLE'], ['INSUFFICIENT_FUNDS'], [], ['INSUFFICIENT_FUNDS'], []],
  ]);
  expect(lines[3]?.errors[0]?.facts).toEqual({
    required: money('11', 'USD'),
    available: money('10', 'USD'),
  });
});

test('an order that is refused for another reason has no fault in its lines', () => {
  const order = {
    lines: [line(10, 'USD')],
    errors: [short('1', 'USD'), new Fault('PURCHASES_STOPPED')],
  };

  expect(withinBalance(order)).toEqual(order);
});
