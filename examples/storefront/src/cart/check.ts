import type { Client } from 'urql';
import { errorText, type Refusal } from '../graph/error-text.ts';
import type { Line } from './cart.ts';
import {
  type LineQuote,
  type OrderDefaults,
  type Quote,
  type QuoteInput,
  quoteDocument,
} from './documents.ts';

/** The prices of the cart, and what prevents its purchase. */
export interface Check {
  /** The lines and the contact that were checked, as text. Empty before the first check. */
  readonly of: string;
  /** By `lineText`. */
  readonly lines: ReadonlyMap<string, LineQuote>;
  /** The sums of the lines without errors, one per currency. */
  readonly totals: Quote['totals'];
  /** Errors of the order as a whole and of the contact. */
  readonly errors: readonly Refusal[];
  /** The sentence for a request that failed. */
  readonly problem: string | null;
}

export const noCheck: Check = { of: '', lines: new Map(), totals: [], errors: [], problem: null };

export const textOf = (lines: readonly Line[], defaults: OrderDefaults | null): string =>
  JSON.stringify([lines, defaults]);

export const lineText = ({ name, years, acceptPremium }: Line): string =>
  `${name} ${years} ${acceptPremium}`;

/** The name servers, privacy and lock are those that the reseller has set by `setDefaults`. */
export const inputOf = (lines: readonly Line[], defaults: OrderDefaults): QuoteInput => ({
  lines: lines.map(({ name, years, acceptPremium }) => ({
    registration: { domain: name, period: years, acceptPremium },
  })),
  defaults,
});

/** Has the gateway check lines and contact. Buys nothing. */
export async function checkCart(
  client: Client,
  lines: readonly Line[],
  defaults: OrderDefaults,
): Promise<Check> {
  const of = textOf(lines, defaults);
  const input = inputOf(lines, defaults);
  const { data, error } = await client.query(quoteDocument, { input }).toPromise();
  const quote = data?.quoteOrder;
  if (!quote) return { ...noCheck, of, problem: error ? errorText(error) : null };
  return { of, ...findingsOf(lines, quote), errors: quote.errors, problem: null };
}

/** The prices and errors of each line of a quote. */
export const findingsOf = (
  lines: readonly Line[],
  quote: Quote,
): Pick<Check, 'lines' | 'totals'> => ({
  lines: new Map(
    lines.flatMap((line, position) => {
      const found = quote.lines[position];
      return found ? [[lineText(line), found] as const] : [];
    }),
  ),
  totals: quote.totals,
});

/** The lines that can be bought now. */
export const readyLines = (lines: readonly Line[], check: Check): readonly Line[] =>
  lines.filter((line) => check.lines.get(lineText(line))?.errors.length === 0);
