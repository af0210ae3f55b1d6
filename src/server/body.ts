import type { GraphQLError } from 'graphql';
import { findJsonFlaw } from './limits/json-flaw.ts';
import { requestFault } from './request-fault.ts';

// A mark at its beginning makes a body no JSON.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The text of a body; null when it is not UTF-8. */
export function decodeBody(body: Uint8Array): string | null {
  try {
    return decoder.decode(body);
  } catch {
    return null;
  }
}

/** Why a text is not taken as the JSON of a request; null when it is. */
export function jsonFault(text: string): GraphQLError | null {
  const flaw = findJsonFlaw(text);
  return flaw === null ? null : badBody(flaw);
}

export const badBody = (message: string): GraphQLError =>
  requestFault('BAD_USER_INPUT', message, 400);
