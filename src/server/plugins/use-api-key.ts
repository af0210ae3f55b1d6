import { createHash, timingSafeEqual } from 'node:crypto';
import type { ApiKey } from '../../config/api-keys.ts';
import { anybody } from '../../kernel/caller.ts';
import type { Layer } from '../layer.ts';
import { requestFault } from '../request-fault.ts';
import { notesOf, type RequestView } from '../request-view.ts';

/**
 * Answers only who sends a key of this gateway as `x-api-key`, and notes down the name of that key; health
 * and the page of GraphiQL are not asked.
 */
export function useApiKey(keys: readonly ApiKey[]): Layer {
  const known = keys.map(({ name, tenant, sha256 }) => ({
    name,
    tenant,
    expected: Buffer.from(sha256.reveal(), 'hex'),
  }));
  const admits = (request: RequestView): boolean => {
    const offered = request.headers.get('x-api-key') ?? '';
    const sent = digest(offered);
    // Digests have one length, and each is compared whole: the time this takes shows neither a key nor which it is.
    const [caller] = known.filter(({ expected }) => timingSafeEqual(sent, expected));
    if (offered === '' || !caller) return false;
    notesOf(request).caller = { ...anybody, name: caller.name, tenant: caller.tenant };
    return true;
  };
  return {
    full: {
      onRequestParse({ request }) {
        if (admits(request)) return;
        throw requestFault('UNAUTHENTICATED', sentence, 401, { 'www-authenticate': 'ApiKey' });
      },
    },
    plain: { admits },
  };
}

const sentence = 'Send an API key of this gateway in the header `x-api-key`.';

const digest = (text: string) => createHash('sha256').update(text).digest();
