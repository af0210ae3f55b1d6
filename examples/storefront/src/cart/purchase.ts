import type { Client, CombinedError } from 'urql';
import { errorText, sentenceOf, topLevelSentence } from '../graph/error-text.ts';
import { changeLine, type Line, lineOf } from './cart.ts';
import {
  byKeyDocument,
  type Operation,
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

/** Quotes a line and reads the reasons that prevent its purchase. Buys nothing. */
export async function quote(client: Client, key: string): Promise<void> {
  const line = lineOf(key);
  if (line?.stage !== 'open') return;
  const holder = registrant.get();
  const input = { ...inputOf(line), dryRun: true };
  const { data, error } = await client.mutation(registerDocument, { input }).toPromise();
  // The line or the contact changed, or the line was sent: another quote follows.
  const now = lineOf(key);
  if (now?.stage !== 'open' || now.years !== line.years || registrant.get() !== holder) return;
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
 * Buys a line for at most its quote.
 *
 * May be called again at any time, also while it runs: the same key with the same input is the same purchase.
 */
export async function buy(client: Client, key: string): Promise<void> {
  const line = lineOf(key);
  const input = line?.sent ?? (line?.quote && orderOf(line));
  if (!line || !input || line.stage === 'recorded') return;
  // Stored before it is sent, so that a reload looks the purchase up instead of buying.
  sentHere.add(key);
  changeLine(key, { stage: 'sent', sent: input, problems: [], refusals: [] });
  const { data, error } = await client.mutation(registerDocument, { input }).toPromise();
  const payload = data?.registerDomain;
  // An earlier request with this key may have bought it, so look the purchase up before the line opens again.
  if (error || !payload) return find(client, key, error ? refusalsOf(error) : []);
  return handlePayload(client, key, payload);
}

/** Keys that this page has sent since it was loaded. Responses to other keys cannot arrive here. */
const sentHere = new Set<string>();

export const isOrphan = ({ key, stage }: Line): boolean => stage === 'sent' && !sentHere.has(key);

const orderOf = (line: Line): RegisterInput => ({
  ...inputOf(line),
  idempotencyKey: line.key,
  maxPrice: line.quote,
});

async function handlePayload(client: Client, key: string, payload: RegisterPayload): Promise<void> {
  const { purchase, errors } = payload;
  if (purchase) return recordPurchase(key, purchase);
  // This request or an earlier one may have bought it; the journal has the outcome.
  const isRefused = errors.every(({ executed }) => executed === 'NO');
  const isRival = errors.some(({ code }) => code === 'IDEMPOTENCY_CONFLICT');
  if (!isRefused || isRival) return find(client, key, errors.map(sentenceOf));
  reopen(key, errors.map(sentenceOf));
}

/**
 * Looks a purchase up by its key after its response was lost. Sends no purchase.
 *
 * `refusals`: reasons of the gateway. Without any, a purchase that it does not know may still arrive there.
 */
export async function find(
  client: Client,
  key: string,
  refusals: Line['refusals'] = [],
): Promise<void> {
  const { data, error } = await client.query(byKeyDocument, { key }).toPromise();
  if (error) return changeLine(key, { problems: [errorText(error)] });
  if (data?.purchaseByKey) return recordPurchase(key, data.purchaseByKey);
  if (refusals.length > 0) return reopen(key, refusals);
  changeLine(key, { problems: [notArrived] });
}

const notArrived =
  'The shop does not know of this purchase yet. Send it again: it cannot be bought twice.';

/** Stores the state of a purchase. A late `PENDING` never replaces an outcome. */
export function recordPurchase(key: string, purchase: Operation): void {
  const known = lineOf(key)?.purchase;
  if (known && known.state !== 'PENDING' && purchase.state === 'PENDING') return;
  changeLine(key, { stage: 'recorded', purchase, problems: [], refusals: [] });
}

/** Lets the shopper change a refused line; a line whose purchase is recorded stays as it is. */
function reopen(key: string, refusals: Line['refusals']): void {
  if (lineOf(key)?.stage === 'sent') changeLine(key, { stage: 'open', sent: null, refusals });
}

/** Sentences of a request that was not executed; none when it may have been executed. */
const refusalsOf = ({ graphQLErrors }: CombinedError): readonly string[] => {
  const isRefused =
    graphQLErrors.length > 0 &&
    graphQLErrors.every(({ extensions }) => extensions.executed === 'NO');
  return isRefused ? graphQLErrors.map(topLevelSentence) : [];
};
