import { Fault, invalidInput } from '../../kernel/faults.ts';
import { formatMoney, type Money } from '../../kernel/money.ts';

// Functions, because a test may import this file before the error codes of the feature are known.

const path = (...members: string[]) => ({ path: ['input', ...members] });

export const paymentRequired = () => new Fault('PAYMENT_REQUIRED');

export const wrongDuration = () =>
  invalidInput(
    '"expiresAfter" is an ISO 8601 duration from PT5M to PT72H, such as PT30M.',
    path('payment', 'expiresAfter'),
  );

export const severalCurrencies = (currencies: readonly string[]) =>
  invalidInput(
    `A paid order has one currency, and this one has prices in ${currencies.join(' and ')}. Place one order per currency.`,
    path('lines'),
  );

export const tooManyDue = (most: number) =>
  new Fault('TOO_MANY_UNPAID_ORDERS', {
    message: `This caller has ${most} orders that are not paid. Cancel some of them with "cancelOrder", or wait until they expire.`,
  });

export const noOrder = () =>
  new Fault('NOT_FOUND', { message: 'There is no such order.', ...path('order') });

export const noPayment = () =>
  invalidInput('This order needs no payment: it was placed without "payment".', path('order'));

export const wrongAmount = () =>
  invalidInput(
    'The amount is positive, and a multiple of the smallest unit of its currency.',
    path('amount'),
  );

export const wrongReference = (most: number) =>
  invalidInput(
    `"reference" is text of 1 to ${most} visible characters, such as the id of the payment provider.`,
    path('reference'),
  );

export const otherReference = () =>
  invalidInput(
    'This reference was recorded with another amount or for another order, and nothing was changed. Send the reference of this amount.',
    path('reference'),
  );

export const notAccepted = (why: string) =>
  new Fault('PAYMENT_NOT_ACCEPTED', {
    message: `${why} This amount is recorded, starts nothing, and is due back.`,
    ...path('amount'),
  });

export const tooMuchRefunded = (due: Money) =>
  new Fault('REFUND_NOT_DUE', {
    message: `At most ${formatMoney(due)} of this order is due back, so the refund was not recorded.`,
    ...path('amount'),
  });
