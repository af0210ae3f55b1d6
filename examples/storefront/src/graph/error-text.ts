import type { CombinedError } from 'urql';
import { isStaff } from '../session/session.ts';
import { graphql, type ResultOf } from './graphql.ts';

export const refusalFields = graphql(`
  fragment RefusalFields on UserError { code message path executed }
`);

export type Refusal = ResultOf<typeof refusalFields>;

const contactUs = 'We cannot complete this purchase right now; please contact us.';
const notNow = 'This name cannot be bought right now. Please try again later.';
const tryLater = 'The registrar does not respond at present. Please try again later.';

/** For customers, instead of sentences of the gateway that are for its operator or for the author of a client. */
const sentences: Readonly<Record<string, string>> = {
  ALREADY_OWNED: 'This name is already registered here.',
  FORBIDDEN: contactUs,
  IDEMPOTENCY_CONFLICT: 'This name is in another order already. Please wait for its outcome.',
  INSUFFICIENT_FUNDS: contactUs,
  INTERNAL: contactUs,
  IP_NOT_ALLOWED: contactUs,
  JOURNAL_UNAVAILABLE: tryLater,
  MAX_PRICE_EXCEEDED: 'The price has changed. Please check the new price.',
  NOT_AVAILABLE: 'This name is taken. Please choose another one.',
  OVERLOADED: tryLater,
  PAYMENT_REQUIRED: contactUs,
  PREMIUM_NOT_ACCEPTED: 'A premium name. Tick the box to take it at its price.',
  PREMIUM_UNAVAILABLE: notNow,
  PRICE_UNAVAILABLE: 'The price for this period is not known. Please choose another period.',
  PURCHASES_STOPPED: notNow,
  SPEND_LIMIT_EXCEEDED: contactUs,
  TLD_UNSUPPORTED: 'We do not sell this ending.',
  TOO_MANY_UNPAID_ORDERS: 'You have too many orders that are not paid. Pay or cancel some of them.',
  UNAUTHENTICATED: 'Please sign in again.',
  UPSTREAM_AUTH: contactUs,
  UPSTREAM_PROTOCOL: tryLater,
  UPSTREAM_REJECTED: 'The registry does not accept this. Please contact us.',
  UPSTREAM_TIMEOUT: tryLater,
  UPSTREAM_UNAVAILABLE: tryLater,
};

/** The sentence of an error: that of the gateway, except for customers where the table above has another. */
export const sentenceOf = ({ code, message }: { code: unknown; message: string }): string =>
  (isStaff ? undefined : sentences[String(code)]) ?? message;

/** The sentences for some errors, each once. */
export const sentencesOf = (refusals: readonly Refusal[]): readonly string[] => [
  ...new Set(refusals.map(sentenceOf)),
];

/** The codes of a failed request; none when the gateway was not reached. */
export const codesOf = ({ graphQLErrors }: CombinedError): readonly string[] =>
  graphQLErrors.map(({ extensions }) => String(extensions.code));

const unreachable = 'The shop cannot be reached. Try again in a moment.';

/** The sentence for a failed request. */
export const errorText = ({ graphQLErrors }: CombinedError): string =>
  [
    ...new Set(
      graphQLErrors.map(({ message, extensions: { code } }) => sentenceOf({ code, message })),
    ),
  ].join(' ') || unreachable;

/** Whether the gateway refused a request before it did anything. */
export const isRefusal = ({ graphQLErrors }: CombinedError): boolean =>
  graphQLErrors.length > 0 && graphQLErrors.every(({ extensions }) => extensions.executed === 'NO');
