import type { Money } from '../../kernel/money.ts';
import { requestHook } from '../../scope/scope.ts';

/** Members that another feature adds to the input of an order, with `declare module`. */
// biome-ignore lint/suspicious/noEmptyInterface: a feature adds the members
export interface OrderTermsInput {}

/** A line that passed the checks, with what the customer pays for it. */
export interface PricedLine {
  readonly position: number;
  readonly price: Money;
}

export interface PricedOrder {
  /** Of the order, which is not stored yet. */
  readonly id: string;
  readonly lines: readonly PricedLine[];
  /** Whether it is held for a decision first. */
  readonly isHeld: boolean;
}

/** The terms of an order besides its lines, which must be met before a line is sent. */
export interface OrderTerms {
  /** The member of the input that has them. */
  readonly member: string;
  /** The terms in the input as text: an order with other terms is another order. Undefined without terms. */
  identify(input: OrderTermsInput): string | undefined;
  /** @throws Fault for terms that the caller may not have */
  check(input: OrderTermsInput): void;
  /**
   * Stores the terms of an order that passed its checks, before the order is stored. Returns the name of the feature that holds the
   * order; null without terms. @throws Fault for an order that may not be placed with these terms
   */
  hold(input: OrderTermsInput, order: PricedOrder): Promise<string | null>;
  /** The state of an order that is held, which may be one that the feature adds to `OrderState`; null for one that is held for a decision. */
  heldStateOf(orderId: string): Promise<string | null>;
  /** Why the lines of an order were cancelled, to complete a sentence; null for no reason of this feature. */
  stopReasonOf(orderId: string): Promise<string | null>;
}

/** Without another feature an order has no terms. */
export const orderTerms = requestHook<OrderTerms>('orderTerms', {
  byDefault: () => ({
    member: '',
    identify: () => undefined,
    check: () => undefined,
    hold: async () => null,
    heldStateOf: async () => null,
    stopReasonOf: async () => null,
  }),
});
