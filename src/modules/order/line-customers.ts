import type { Caller } from '../../kernel/caller.ts';
import type { OrderDefaults, OrderLineInput } from './quoted-lines.ts';

interface Lines {
  readonly lines: readonly OrderLineInput[];
  readonly defaults?: Pick<OrderDefaults, 'customer'> | null | undefined;
}

/** The order with a customer in each line: its own, else that of the defaults, else the one to whom the caller is bound. */
export function withCustomers<Input extends Lines>(input: Input, { customer: own }: Caller): Input {
  const shared = input.defaults?.customer ?? own;
  const lines = input.lines.map((line): OrderLineInput => {
    const customer = customerOf(line) ?? shared;
    return line.registration
      ? { registration: { ...line.registration, customer } }
      : { transfer: { ...line.transfer, customer } };
  });
  return { ...input, lines };
}

export const customerOf = ({ registration, transfer }: OrderLineInput): string | null =>
  (registration ?? transfer)?.customer ?? null;
