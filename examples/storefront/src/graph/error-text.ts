import type { CombinedError } from 'urql';

/** One sentence for a person: the gateway's own where it answered. */
export const errorText = (error: CombinedError): string =>
  error.graphQLErrors.map(({ message }) => message).join(' ') ||
  'The gateway cannot be reached. Try again in a moment.';
