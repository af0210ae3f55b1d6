import type { Client } from 'urql';
import { errorText, type Refusal } from '../graph/error-text.ts';
import type { Line } from './cart.ts';
import { type LineQuote, type Quote, type QuoteInput, quoteDocument } from './documents.ts';
import { contactOf, type Registrant } from './registrant.ts';

/** The prices of the cart, and what prevents its purchase. */
export interface Check {
  /** The lines and the registrant that were checked, as text. Empty before the first check. */
  readonly of: string;
  /** By `lineText`. */
  readonly lines: ReadonlyMap<string, LineQuote>;
  /** The sums of the lines without errors, one per currency. */
  readonly totals: Quote['totals'];
  /** Errors of the order as a whole and of the registrant. */
  readonly errors: readonly Refusal[];
  /** The sentence for a request that failed. */
  readonly problem: string | null;
}

export const noCheck: Check = { of: '', lines: new Map(), totals: [], errors: [], problem: null };

export const textOf = (lines: readonly Line[], holder: Registrant): string =>
  JSON.stringify([lines, holder]);

export const lineText = ({ name, years, acceptPremium }: Line): string =>
  `${name} ${years} ${acceptPremium}`;

const nameServers = ['ns1.example-dns.net', 'ns2.example-dns.net'];

export const inputOf = (lines: readonly Line[], holder: Registrant): QuoteInput => ({
  lines: lines.map(({ name, years, acceptPremium }) => ({
    registration: { domain: name, period: years, acceptPremium },
  })),
  defaults: { registrant: { fields: contactOf(holder) }, nameServers },
});

/** Has the gateway check lines and registrant. Buys nothing. */
export async function checkCart(
  client: Client,
  lines: readonly Line[],
  holder: Registrant,
): Promise<Check> {
  const of = textOf(lines, holder);
  const input = inputOf(lines, holder);
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
