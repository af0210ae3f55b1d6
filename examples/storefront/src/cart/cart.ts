import type { Money } from '../shared/money.ts';
import { createStored } from '../shared/stored.ts';
import type { Operation, RegisterInput } from './documents.ts';

/** A domain that somebody wants, from the search to the purchase. */
export interface Line {
  /** The idempotency key: made once, so that this line is one purchase however often it is sent. */
  readonly key: string;
  /** Lower-case ASCII. */
  readonly name: string;
  readonly unicodeName: string;
  readonly premium: boolean;
  readonly acceptPremium: boolean;
  readonly years: number;
  /** Years that the TLD allows. */
  readonly shortest: number;
  readonly longest: number;
  /**
   * - `open`: nothing was sent, or nothing came of it
   * - `sent`: on its way, or its answer was lost; the same input may be sent again
   * - `told`: `purchase` says what became of it
   */
  readonly stage: 'open' | 'sent' | 'told';
  /** What was sent, to the letter: the same key with another input would be refused. */
  readonly sent: RegisterInput | null;
  readonly purchase: Operation | null;
  /** The highest price for all years together; null until the gateway has quoted it. */
  readonly quote: Money | null;
  /** Whether the price may turn out lower than the quote. */
  readonly isEstimated: boolean;
  /** What prevents the purchase, in a sentence each; a quote without problems clears them. */
  readonly problems: readonly string[];
  /** Why the last purchase was refused, in a sentence each, until the shopper changes something or buys again. */
  readonly refusals: readonly string[];
}

/** Kept in this tab, keys and all: a reload finds each purchase again. */
export const cart = createStored<readonly Line[]>('cart-2', []);

/** As much of a search result as the cart needs. */
interface Wanted {
  readonly name: string;
  readonly unicodeName: string;
  readonly availability: { readonly premium: boolean | null };
  readonly tld: { readonly minPeriod: number | null; readonly maxPeriod: number | null } | null;
}

export function addToCart({ name, unicodeName, availability, tld }: Wanted): void {
  const shortest = tld?.minPeriod ?? 1;
  const line: Line = {
    key: crypto.randomUUID(),
    name,
    unicodeName,
    premium: availability.premium === true,
    acceptPremium: false,
    years: shortest,
    shortest,
    longest: tld?.maxPeriod ?? shortest,
    stage: 'open',
    sent: null,
    purchase: null,
    quote: null,
    isEstimated: false,
    problems: [],
    refusals: [],
  };
  cart.set((lines) => [...lines.filter((one) => one.name !== name), line]);
}

export const removeFromCart = (key: string): void =>
  cart.set((lines) => lines.filter((line) => line.key !== key));

export const lineOf = (key: string): Line | undefined =>
  cart.get().find((line) => line.key === key);

export const changeLine = (key: string, change: Partial<Line>): void =>
  cart.set((lines) => lines.map((line) => (line.key === key ? { ...line, ...change } : line)));

/** After a change of the contact no earlier refusal says anything about the next purchase. */
export const forgetRefusals = (): void =>
  cart.set((lines) => lines.map((line) => ({ ...line, refusals: [] })));

/** Starts again what has failed for certain: another purchase, so another key. */
export const beginAnew = (key: string): void =>
  changeLine(key, {
    key: crypto.randomUUID(),
    stage: 'open',
    sent: null,
    purchase: null,
    quote: null,
    problems: [],
    refusals: [],
  });
