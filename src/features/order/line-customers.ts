import type { Caller } from '../../kernel/caller.ts';
import { composed } from '../../lib/text.ts';
import type { OrderDefaults, OrderLineInput } from './quoted-lines.ts';

interface Lines {
  readonly lines: readonly OrderLineInput[];
  readonly defaults?: Pick<OrderDefaults, 'customer'> | null | undefined;
}

/** The order with a customer in each line: its own, else that of the defaults, else the one to whom the caller is bound. */
export function withCustomers<Input extends Lines>(input: Input, { customer: own }: Caller): Input {
  const given = composed(input.defaults?.customer);
  const shared = given ?? own;
  const lines = input.lines.map((line): OrderLineInput => {
    const customer = composed(customerOf(line)) ?? shared;
    return line.registration
      ? { registration: { ...line.registration, customer } }
      : { transfer: { ...line.transfer, customer } };
  });
  const { defaults } = input;
  return {
    ...input,
    lines,
    ...(given !== undefined && { defaults: { ...defaults, customer: given } }),
  };
}

export const customerOf = ({ registration, transfer }: OrderLineInput): string | null =>
  (registration ?? transfer)?.customer ?? null;
