import type { Callers, CredentialRefusal, Identity } from '../../../access/callers.ts';
import { readCredentials } from '../../http/http-request.ts';
import { requestFault } from '../errors/request-fault.ts';
import type { Rule } from '../rule.ts';

/**
 * Accepts only requests with an API key of this gateway or a token of one of its issuers, unless `callers` is null, and
 * only callers whose tenant is configured.
 */
export const identifyCaller = (
  callers: Callers | null,
  isTenant: (name: string) => boolean,
): Rule => ({
  onRequest(request) {
    const accept = (identity: Identity) => {
      if ('sentence' in identity) return errorOf(identity);
      request.caller = identity;
      return isTenant(identity.tenant) ? null : requestFault('FORBIDDEN', unknownTenant, 403);
    };
    const identity = callers?.identify(readCredentials(request)) ?? request.caller;
    return identity instanceof Promise ? identity.then(accept) : accept(identity);
  },
});

const errorOf = ({ sentence, challenge, isTemporary }: CredentialRefusal) =>
  isTemporary
    ? requestFault('UPSTREAM_UNAVAILABLE', sentence, 503)
    : requestFault('UNAUTHENTICATED', sentence, 401, { 'www-authenticate': challenge });

const unknownTenant = 'This credential belongs to a tenant that is not configured here.';
