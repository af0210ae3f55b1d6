import type { Client } from 'urql';
import { errorText } from '../graph/error-text.ts';
import { changeLine, type Line, lineOf } from './cart.ts';
import {
  byKeyDocument,
  type Operation,
  type Refusal,
  type RegisterInput,
  type RegisterPayload,
  registerDocument,
} from './documents.ts';
import { contactOf, registrant } from './registrant.ts';

const nameServers = ['ns1.example-dns.net', 'ns2.example-dns.net'];

const inputOf = ({ name, years, acceptPremium }: Line): RegisterInput => ({
  domain: name,
  period: years,
  nameServers,
  registrant: contactOf(registrant.get()),
  acceptPremium,
});

/** Asks what a line costs and what stands in its way; buys nothing. */
export async function quote(client: Client, key: string): Promise<void> {
  const line = lineOf(key);
  if (line?.stage !== 'open') return;
  const input = { ...inputOf(line), dryRun: true };
  const { data, error } = await client.mutation(registerDocument, { input }).toPromise();
  // An answer to a question that nobody asks any more, of a line that was changed or sent meanwhile.
  const now = lineOf(key);
  if (now?.stage !== 'open' || now.years !== line.years) return;
  if (now.acceptPremium !== line.acceptPremium) return;
  if (error) return changeLine(key, { quote: null, problems: [errorText(error)] });
  const { quote: found, errors = [] } = data?.registerDomain ?? {};
  changeLine(key, {
    quote: found?.highest ?? null,
    isEstimated: found?.certainty === 'ESTIMATED',
    problems: errors.map(sentenceOf),
  });
}

/**
 * Buys a line, for what was quoted at most.
 *
 * May be called again at any time, also while it runs: the same key with the same input is the same purchase.
 */
export async function buy(client: Client, key: string): Promise<void> {
  const line = lineOf(key);
  const input = line?.sent ?? (line?.quote && orderOf(line));
  if (!line || !input || line.stage === 'told') return;
  // Written down before it is sent, so that a reload in between asks and does not buy.
  sentHere.add(key);
  changeLine(key, { stage: 'sent', sent: input, problems: [] });
  const { data, error } = await client.mutation(registerDocument, { input }).toPromise();
  const payload = data?.registerDomain;
  if (error || !payload) return find(client, key);
  return learn(client, key, payload);
}

/** Keys that this page has sent since it was loaded; the answers to others can reach it no more. */
const sentHere = new Set<string>();

export const isOrphan = ({ key, stage }: Line): boolean => stage === 'sent' && !sentHere.has(key);

const orderOf = (line: Line): RegisterInput => ({
  ...inputOf(line),
  idempotencyKey: line.key,
  maxPrice: line.quote,
});

async function learn(client: Client, key: string, payload: RegisterPayload): Promise<void> {
  const { purchase, errors } = payload;
  if (purchase) return tell(key, purchase);
  // Whatever may have been done, by this request or the one before it, the journal knows.
  const isRefused = errors.every(({ executed }) => executed === 'NO');
  const isRival = errors.some(({ code }) => code === 'IDEMPOTENCY_CONFLICT');
  if (!isRefused || isRival) return find(client, key, errors.map(sentenceOf));
  reopen(key, errors.map(sentenceOf));
}

/**
 * Finds out by its key what became of a purchase whose answer was lost. Sends none.
 *
 * `refusals`: what the gateway said; without any, a purchase that it does not know may still be on its way there.
 */
export async function find(
  client: Client,
  key: string,
  refusals: Line['problems'] = [],
): Promise<void> {
  const { data, error } = await client.query(byKeyDocument, { key }).toPromise();
  if (error) return changeLine(key, { problems: [errorText(error)] });
  if (data?.purchaseByKey) return tell(key, data.purchaseByKey);
  if (refusals.length > 0) return reopen(key, refusals);
  changeLine(key, { problems: [notArrived] });
}

const notArrived =
  'The gateway does not know of this purchase yet. Send it again: it cannot be bought twice.';

/** Notes what became of a purchase; an older "nobody knows" never replaces an end. */
export function tell(key: string, purchase: Operation): void {
  const known = lineOf(key)?.purchase;
  if (known && known.state !== 'PENDING' && purchase.state === 'PENDING') return;
  changeLine(key, { stage: 'told', purchase, problems: [] });
}

/** Nothing came of it, so the line may be changed again; a twin that knows better stays. */
function reopen(key: string, problems: Line['problems']): void {
  if (lineOf(key)?.stage === 'sent') changeLine(key, { stage: 'open', sent: null, problems });
}

/** The gateway speaks to whoever calls it, and so of arguments; of this one a shopper sees a box to tick. */
const sentenceOf = (refusal: Refusal): string =>
  refusal.code === 'PREMIUM_NOT_ACCEPTED'
    ? 'A premium name. Tick the box to take it at its price.'
    : refusal.message;
