import { createHash, timingSafeEqual } from 'node:crypto';
import type { Plugin } from 'graphql-yoga';
import type { ApiKey } from '../../config/api-keys.ts';
import { requestFault } from '../request-fault.ts';

/**
 * Answers only who sends a key of this gateway as `x-api-key`, and notes down the name of that key in `callers`; health
 * and the page of GraphiQL are not asked.
 */
export function useApiKey(keys: readonly ApiKey[], callers: WeakMap<Request, string>): Plugin {
  const known = keys.map(({ name, sha256 }) => ({
    name,
    expected: Buffer.from(sha256.reveal(), 'hex'),
  }));
  return {
    onRequestParse({ request }) {
      const offered = request.headers.get('x-api-key') ?? '';
      const sent = digest(offered);
      // Digests have one length, and each is compared whole: the time this takes shows neither a key nor which it is.
      const [caller] = known.filter(({ expected }) => timingSafeEqual(sent, expected));
      if (offered === '' || !caller) {
        throw requestFault('UNAUTHENTICATED', sentence, 401, { 'www-authenticate': 'ApiKey' });
      }
      callers.set(request, caller.name);
    },
  };
}

const sentence = 'Send an API key of this gateway in the header `x-api-key`.';

const digest = (text: string) => createHash('sha256').update(text).digest();
