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

/** Asks what a line costs and what stands in its way; buys nothing. */
export async function quote(client: Client, key: string): Promise<void> {
  const line = lineOf(key);
  if (line?.stage !== 'open') return;
  const holder = registrant.get();
  const input = { ...inputOf(line), dryRun: true };
  const { data, error } = await client.mutation(registerDocument, { input }).toPromise();
  // The line or the contact was changed meanwhile, or the line was sent: another quote follows.
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
  changeLine(key, { stage: 'sent', sent: input, problems: [], refusals: [] });
  const { data, error } = await client.mutation(registerDocument, { input }).toPromise();
  const payload = data?.registerDomain;
  // An earlier request with this key may have bought it all the same, so the journal is read before the line opens again.
  if (error || !payload) return find(client, key, error ? refusalsOf(error) : []);
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
  refusals: Line['refusals'] = [],
): Promise<void> {
  const { data, error } = await client.query(byKeyDocument, { key }).toPromise();
  if (error) return changeLine(key, { problems: [errorText(error)] });
  if (data?.purchaseByKey) return tell(key, data.purchaseByKey);
  if (refusals.length > 0) return reopen(key, refusals);
  changeLine(key, { problems: [notArrived] });
}

const notArrived =
  'The shop does not know of this purchase yet. Send it again: it cannot be bought twice.';

/** Notes what became of a purchase; an older "nobody knows" never replaces an end. */
export function tell(key: string, purchase: Operation): void {
  const known = lineOf(key)?.purchase;
  if (known && known.state !== 'PENDING' && purchase.state === 'PENDING') return;
  changeLine(key, { stage: 'told', purchase, problems: [], refusals: [] });
}

/** Nothing came of it, so the line may be changed again; a twin that knows better stays. */
function reopen(key: string, refusals: Line['refusals']): void {
  if (lineOf(key)?.stage === 'sent') changeLine(key, { stage: 'open', sent: null, refusals });
}

/** The sentences of a request that was certainly not executed; none for one that may have been. */
const refusalsOf = ({ graphQLErrors }: CombinedError): readonly string[] => {
  const isRefused =
    graphQLErrors.length > 0 &&
    graphQLErrors.every(({ extensions }) => extensions.executed === 'NO');
  return isRefused ? graphQLErrors.map(topLevelSentence) : [];
};
