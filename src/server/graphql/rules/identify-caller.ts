import type { Callers, CredentialRefusal, Identity } from '../../../access/callers.ts';
import { type Caller, defaultTenant } from '../../../kernel/caller.ts';
import { type HttpRequest, readCredentials } from '../../http/http-request.ts';
import { requestFault } from '../../http/request-fault.ts';
import { bearerChallenge } from '../../http/responses.ts';
import type { Rule, RuleVerdict } from '../rule.ts';

/**
 * Accepts only requests with an API key of this gateway or a token of one of its issuers, unless `callers` is null, and
 * only callers whose tenant is configured.
 */
export function identifyCaller(
  callers: Callers | null,
  isTenant: (name: string) => boolean,
  /** Sets the caller of a request of the default tenant that needs no credential, although others do. */
  admits: (request: HttpRequest) => boolean = () => false,
): Rule {
  const check = (request: HttpRequest, verdictOn: (caller: Caller) => RuleVerdict): RuleVerdict => {
    const accept = (identity: Identity) =>
      'sentence' in identity ? errorOf(identity, request) : verdictOn(identity);
    const identity = callers?.identify(readCredentials(request)) ?? request.caller;
    return identity instanceof Promise ? identity.then(accept) : accept(identity);
  };
  return {
    onRequest: (request) =>
      callers && isTenant(defaultTenant) && admits(request)
        ? null
        : check(request, (caller) => {
            request.caller = caller;
            return isTenant(caller.tenant) ? null : requestFault('FORBIDDEN', unknownTenant, 403);
          }),
    /** The credential may have expired, or lost rights, since the stream was opened. */
    onPart: (request) =>
      check(request, (caller) =>
        hasRightsOf(caller, request.caller) ? null : requestFault('FORBIDDEN', changedRights, 403),
      ),
  };
}

function errorOf(
  { sentence, tokenChallenge, isTemporary }: CredentialRefusal,
  request: HttpRequest,
) {
  if (isTemporary) return requestFault('UPSTREAM_UNAVAILABLE', sentence, 503);
  // Bearer comes first, because some clients read no other challenge.
  const challenges = [
    ...(tokenChallenge
      ? [bearerChallenge({ ...tokenChallenge, ...request.route.challenge?.(request) })]
      : []),
    'ApiKey',
  ];
  return requestFault('UNAUTHENTICATED', sentence, 401, {
    'www-authenticate': challenges.join(', '),
  });
}

const unknownTenant = 'This credential belongs to a tenant that is not configured here.';

const hasRightsOf = (now: Caller, before: Caller): boolean =>
  now.tenant === before.tenant &&
  now.customer === before.customer &&
  [...before.scopes].every((scope) => now.scopes.has(scope));

const changedRights = 'The rights of this credential have changed; subscribe again.';
