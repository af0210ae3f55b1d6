import type { Callers, CredentialRefusal, Identity } from '../../../access/callers.ts';
import type { Caller } from '../../../kernel/caller.ts';
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
  /** The credential may have expired, or lost rights, since the stream was opened. */
  onPart(request) {
    if (!callers) return null;
    const accept = (identity: Identity) => {
      if ('sentence' in identity) return errorOf(identity);
      return hasRightsOf(identity, request.caller)
        ? null
        : requestFault('FORBIDDEN', changedRights, 403);
    };
    const identity = callers.identify(readCredentials(request));
    return identity instanceof Promise ? identity.then(accept) : accept(identity);
  },
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

const hasRightsOf = (now: Caller, before: Caller): boolean =>
  now.tenant === before.tenant && [...before.scopes].every((scope) => now.scopes.has(scope));

const changedRights = 'The rights of this credential have changed; subscribe again.';
