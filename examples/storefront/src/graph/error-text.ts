import type { CombinedError } from 'urql';

const cannotSell = 'This shop cannot sell this name at present. Please try again later.';
const tryLater = 'The registrar does not respond at present. Please try again later.';

/**
 * Sentences for shoppers, by error code. The gateway's sentences are for the reseller: they name balances, limits and
 * arguments.
 */
const forShoppers: Readonly<Record<string, string>> = {
  PREMIUM_NOT_ACCEPTED: 'A premium name. Tick the box to take it at its price.',
  MAX_PRICE_EXCEEDED: 'The price has changed. Please check the new price.',
  PRICE_UNAVAILABLE: 'The price for this period is not known. Please choose another period.',
  INVALID_CONTACT: 'The registry does not accept these contact details. Please check them.',
  INSUFFICIENT_FUNDS: cannotSell,
  SPEND_LIMIT_EXCEEDED: cannotSell,
  PURCHASES_STOPPED: cannotSell,
  UPSTREAM_AUTH: cannotSell,
  IP_NOT_ALLOWED: cannotSell,
  FORBIDDEN: cannotSell,
  UNAUTHENTICATED: cannotSell,
  JOURNAL_UNAVAILABLE: tryLater,
  INTERNAL: tryLater,
  UPSTREAM_TIMEOUT: tryLater,
  UPSTREAM_UNAVAILABLE: tryLater,
  UPSTREAM_PROTOCOL: tryLater,
  RATE_LIMITED: tryLater,
  OVERLOADED: tryLater,
};

/** The sentence for an error in a payload. */
export const sentenceOf = ({ code, message }: { code: string; message: string }): string =>
  forShoppers[code] ?? message;

/** The sentence for a GraphQL error. */
export const topLevelSentence = ({
  message,
  extensions: { fault, code },
}: CombinedError['graphQLErrors'][number]): string =>
  sentenceOf({ code: String(fault ?? code), message });

/** The sentence for a failed request. */
export const errorText = (error: CombinedError): string =>
  error.graphQLErrors.map(topLevelSentence).join(' ') ||
  'The shop cannot be reached. Try again in a moment.';
