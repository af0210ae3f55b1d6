import type { Money } from '../shared/money.ts';
import { createStored } from '../shared/stored.ts';
import type { Operation, RegisterInput } from './documents.ts';

/** A domain in the cart, until its purchase has an outcome. */
export interface Line {
  /** Idempotency key, created once: this line is one purchase however often it is sent. */
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
   * - `open`: not sent, or refused
   * - `sent`: in progress, or the response was lost; the same input may be sent again
   * - `recorded`: `purchase` has its state
   */
  readonly stage: 'open' | 'sent' | 'recorded';
  /** The exact input that was sent; the gateway refuses the same key with another input. */
  readonly sent: RegisterInput | null;
  readonly purchase: Operation | null;
  /** The highest price for all years together; null until the gateway has quoted it. */
  readonly quote: Money | null;
  /** Whether the price may turn out lower than the quote. */
  readonly isEstimated: boolean;
  /** Reasons that prevent the purchase, as sentences; the next quote replaces them. */
  readonly problems: readonly string[];
  /** Reasons of the last refusal, as sentences, until the shopper changes something or buys again. */
  readonly refusals: readonly string[];
}

/** Stored in this tab with the keys, so that a reload finds each purchase. */
export const cart = createStored<readonly Line[]>('cart-3', []);

/** The fields of a search result that the cart needs. */
interface SearchResult {
  readonly name: string;
  readonly unicodeName: string;
  readonly availability: { readonly premium: boolean | null };
  readonly tld: { readonly minPeriod: number | null; readonly maxPeriod: number | null } | null;
}

export function addToCart({ name, unicodeName, availability, tld }: SearchResult): void {
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

/** Call it when the contact changes: earlier refusals no longer apply. */
export const forgetRefusals = (): void =>
  cart.set((lines) => lines.map((line) => ({ ...line, refusals: [] })));

/** Starts a new purchase, with a new key, after one that failed. */
export const startNewPurchase = (key: string): void =>
  changeLine(key, {
    key: crypto.randomUUID(),
    stage: 'open',
    sent: null,
    purchase: null,
    quote: null,
    problems: [],
    refusals: [],
  });
