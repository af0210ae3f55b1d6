import type { CombinedError } from 'urql';
import { graphql, type ResultOf } from './graphql.ts';

/** The facts of an error that a shopper's sentence needs. Its message is for the operator, so the shop does not request it. */
export const refusalFields = graphql(`
  fragment RefusalFields on UserError { code path executed }
`);

export type Refusal = ResultOf<typeof refusalFields>;

const contactUs = 'We cannot complete this purchase right now; please contact us.';
const notAccepted = 'The registry does not accept this registration. Please contact us.';
const notNow = 'This name cannot be bought right now. Please try again later.';
const taken = 'This name is taken. Please choose another one.';
const tryLater = 'The registrar does not respond at present. Please try again later.';

/** Sentences for shoppers. Nothing in them is about the balance, the limits or the operator of the reseller. */
const sentences: Readonly<Record<string, string>> = {
  NOT_AVAILABLE: taken,
  RESERVED: taken,
  ALREADY_OWNED: 'This name is already registered here.',
  IDEMPOTENCY_CONFLICT: 'This name is in another order already. Please wait for its outcome.',
  PREMIUM_NOT_ACCEPTED: 'A premium name. Tick the box to take it at its price.',
  PREMIUM_UNAVAILABLE: notNow,
  MAX_PRICE_EXCEEDED: 'The price has changed. Please check the new price.',
  PRICE_UNAVAILABLE: 'The price for this period is not known. Please choose another period.',
  PERIOD_OUT_OF_RANGE: 'This ending is not sold for this period. Please choose another period.',
  TLD_UNSUPPORTED: 'We do not sell this ending.',
  IDN_UNSUPPORTED: 'This ending does not have names with these letters.',
  INVALID_INPUT: 'This name cannot be registered. Please choose another one.',
  INVALID_CONTACT: 'The registry does not accept these contact details. Please check them.',
  NOT_ELIGIBLE: notAccepted,
  NOT_SUPPORTED: notAccepted,
  POLICY: notAccepted,
  UPSTREAM_REJECTED: notAccepted,
  LOCKED: notNow,
  PURCHASES_STOPPED: notNow,
  JOURNAL_UNAVAILABLE: tryLater,
  OVERLOADED: tryLater,
  RATE_LIMITED: tryLater,
  UPSTREAM_PROTOCOL: tryLater,
  UPSTREAM_TIMEOUT: tryLater,
  UPSTREAM_UNAVAILABLE: tryLater,
} satisfies Partial<Record<Refusal['code'], string>>;

/** The sentence for the code of an error; for INSUFFICIENT_FUNDS and all others without one of their own that for help. */
export const sentenceOf = (code: string): string => sentences[code] ?? contactUs;

/** The sentences for some errors, each once. */
export const sentencesOf = (refusals: readonly Refusal[]): readonly string[] => [
  ...new Set(refusals.map(({ code }) => sentenceOf(code))),
];

/** The codes of a failed request; none when the gateway was not reached. */
export const codesOf = ({ graphQLErrors }: CombinedError): readonly string[] =>
  graphQLErrors.map(({ extensions }) => String(extensions.code));

const unreachable = 'The shop cannot be reached. Try again in a moment.';

/** The sentence for a failed request. */
export const errorText = (error: CombinedError): string =>
  [...new Set(codesOf(error).map(sentenceOf))].join(' ') || unreachable;

/** As `errorText`, in the words of the gateway, for the pages about domains of the account. */
export const operatorErrorText = ({ graphQLErrors }: CombinedError): string =>
  [...new Set(graphQLErrors.map(({ message }) => message))].join(' ') || unreachable;

/** As `errorText`, for a failed search. */
export function searchErrorText(error: CombinedError, label: string): string {
  const codes = codesOf(error);
  if (codes.length === 0) return unreachable;
  return codes.includes('INVALID_INPUT')
    ? `"${label}" cannot be a domain name. Please enter another one.`
    : 'The search does not work at present. Please try again later.';
}

/** Whether the gateway refused a request before it did anything. */
export const isRefusal = ({ graphQLErrors }: CombinedError): boolean =>
  graphQLErrors.length > 0 && graphQLErrors.every(({ extensions }) => extensions.executed === 'NO');
