import { createHash, timingSafeEqual } from 'node:crypto';
import type { Plugin } from 'graphql-yoga';
import type { Secret } from '../../kernel/secret.ts';
import { requestFault } from '../request-fault.ts';

/** Answers only who sends the key of this gateway as `x-api-key`; health and the page of GraphiQL are not asked. */
export function useApiKey(apiKey: Secret): Plugin {
  const expected = digest(apiKey.reveal());
  return {
    onRequestParse({ request }) {
      const offered = request.headers.get('x-api-key');
      // Digests have one length, so neither the length nor a common beginning shows in the time this takes.
      if (offered !== null && timingSafeEqual(digest(offered), expected)) return;
      throw requestFault('UNAUTHENTICATED', sentence, 401, { 'www-authenticate': 'ApiKey' });
    },
  };
}

const sentence = 'Send the API key of this gateway in the header `x-api-key`.';

const digest = (text: string) => createHash('sha256').update(text).digest();
