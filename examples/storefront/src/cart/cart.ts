import { account, storageName } from '../session/session.ts';
import { createStored } from '../shared/stored.ts';
import type { PlaceInput } from './documents.ts';

/** A domain that the shopper wants. The cart has each name once. */
export interface Line {
  /** Lower-case ASCII. */
  readonly name: string;
  readonly unicodeName: string;
  readonly premium: boolean;
  readonly acceptPremium: boolean;
  readonly years: number;
  /** Years that the TLD allows. */
  readonly shortest: number;
  readonly longest: number;
}

/** An order that was sent and has no response yet. It may exist in the gateway. */
export interface SentOrder {
  /** With the idempotency key. The same input may be sent again, and is the same order. */
  readonly input: PlaceInput;
  readonly lines: readonly Line[];
}

/** An order that the gateway has. */
export interface PlacedOrder {
  readonly id: string;
  /** ISO 8601, by the clock of this browser. */
  readonly placedAt: string;
  readonly lines: readonly Line[];
  /** Names that went back into the cart. */
  readonly returned: readonly string[];
}

interface Cart {
  readonly lines: readonly Line[];
  readonly sent: SentOrder | null;
  /** Newest first. */
  readonly orders: readonly PlacedOrder[];
}

/**
 * One value for all tabs, so that a line is in the cart or in an order, and never in both. It has the contact of the
 * registrant while an order has no response.
 */
const emptyCart: Cart = { lines: [], sent: null, orders: [] };
export const cart = createStored(localStorage, storageName('cart'), emptyCart);

const storedOrders = 20;

/** The fields of a search result that the cart needs. */
interface SearchResult {
  readonly availability: {
    readonly name: string;
    readonly unicodeName: string;
    readonly premium: boolean | null;
    readonly tld: { readonly minPeriod: number | null; readonly maxPeriod: number | null } | null;
    readonly quote: { readonly period: number };
  };
}

export function addToCart({ availability }: SearchResult): Line {
  const { name, unicodeName, premium, tld, quote } = availability;
  const shortest = tld?.minPeriod ?? 1;
  const line: Line = {
    ...{ name, unicodeName, years: quote.period, shortest, longest: tld?.maxPeriod ?? shortest },
    ...{ premium: premium === true, acceptPremium: false },
  };
  cart.set((now) => ({ ...now, lines: joined(now.lines, [line]) }));
  return line;
}

export const removeFromCart = (name: string): void =>
  cart.set((now) => ({ ...now, lines: without(now.lines, [name]) }));

export const changeLine = (name: string, change: Partial<Line>): void =>
  cart.set((now) => ({
    ...now,
    lines: now.lines.map((line) => (line.name === name ? { ...line, ...change } : line)),
  }));

/**
 * Moves lines from the cart into an order. Call it before the order is sent, so that a reload looks the order up.
 *
 * @returns whether to send it: false when another order has no response yet, and when another tab took a line.
 */
export function startOrder(order: SentOrder): boolean {
  const names = namesOf(order.lines);
  let isStarted = false;
  cart.set((now) => {
    const inCart = namesOf(now.lines);
    isStarted = now.sent === null && names.every((name) => inCart.includes(name));
    return isStarted ? { ...now, sent: order, lines: without(now.lines, names) } : now;
  });
  return isStarted;
}

/** Stores the id of the order that was sent. */
export const orderPlaced = (key: string, id: string): void =>
  endSending(key, (now, { lines }) => {
    const order = { id, placedAt: new Date().toISOString(), lines, returned: [] };
    return { ...now, orders: [order, ...now.orders].slice(0, storedOrders) };
  });

/** Returns the lines of the order that was sent to the cart: the gateway does not have it. */
export const orderRefused = (key: string): void =>
  endSending(key, (now, { lines }) => ({ ...now, lines: joined(lines, now.lines) }));

const endSending = (key: string, change: (now: Cart, sent: SentOrder) => Cart): void =>
  cart.set((now) => {
    const { sent } = now;
    // Another tab may have received the response too.
    return sent?.input.idempotencyKey === key ? { ...change(now, sent), sent: null } : now;
  });

/** Puts lines of an order that were not bought back into the cart, each once. */
export const returnToCart = (id: string, names: readonly string[]): void =>
  cart.set((now) => {
    const order = now.orders.find((one) => one.id === id);
    if (!order) return now;
    const wanted = names.filter((name) => !order.returned.includes(name));
    const lines = order.lines.filter(({ name }) => wanted.includes(name));
    const changed = { ...order, returned: [...order.returned, ...wanted] };
    return {
      ...now,
      lines: joined(now.lines, lines),
      orders: now.orders.map((one) => (one.id === id ? changed : one)),
    };
  });

const namesOf = (lines: readonly Line[]): readonly string[] => lines.map(({ name }) => name);

const without = (lines: readonly Line[], names: readonly string[]): readonly Line[] =>
  lines.filter(({ name }) => !names.includes(name));

/** The lines of both; for a name in both the line of `others`. */
const joined = (lines: readonly Line[], others: readonly Line[]): readonly Line[] => [
  ...without(lines, namesOf(others)),
  ...others,
];

/** The names that a visitor chose are in its cart after the sign-in. */
if (account) {
  const ofVisitor = createStored(localStorage, 'cart of visitor', emptyCart);
  const { lines } = ofVisitor.get();
  cart.set((now) => ({ ...now, lines: joined(now.lines, lines) }));
  ofVisitor.set(() => emptyCart);
}
