import type { Caller } from '../kernel/caller.ts';
import { BadToken } from './bad-token.ts';
import { IssuerKeysUnavailable } from './issuer-keys.ts';
import type { Keyring } from './keyring.ts';
import type { Tokens } from './tokens.ts';

/** What a request shows of who sent it; null for what it does not. */
export interface Credentials {
  readonly apiKey: string | null;
  /** The Bearer token of `Authorization`. */
  readonly bearer: string | null;
}

/** Why somebody is not let in, in one sentence that repeats nothing of what was shown. */
export interface Refusal {
  readonly sentence: string;
  /** What `www-authenticate` says. */
  readonly challenge: string;
  /** Whether the same may be let in later: it could not be told at present. */
  readonly isOurs: boolean;
}

/** Tells who a caller is. */
export interface Callers {
  /** Null where more than a look is needed, or there is something to refuse: `identify` tells. */
  known(shown: Credentials): Caller | null;
  identify(shown: Credentials): Promise<Caller | Refusal>;
  /** Whether a token is one that says who calls, so that it is no business of the Account API. */
  owns(token: string): boolean;
}

export function createCallers(keyring: Keyring, tokens: Tokens, hasIssuers: boolean): Callers {
  const known: Callers['known'] = ({ apiKey, bearer }) => {
    const isToken = bearer !== null && tokens.owns(bearer);
    if (apiKey === null) return isToken ? tokens.known(bearer) : null;
    return isToken ? null : keyring.find(apiKey);
  };
  const accepted = hasIssuers ? 'ApiKey, Bearer' : 'ApiKey';
  const refused = (sentence: string, challenge = accepted): Refusal => ({
    sentence,
    challenge,
    isOurs: false,
  });
  return {
    known,
    owns: tokens.owns,
    async identify(shown) {
      const { apiKey, bearer } = shown;
      const token = bearer !== null && tokens.owns(bearer) ? bearer : null;
      if (apiKey !== null && token !== null) {
        return refused('Send an API key or a token of an issuer, not both.');
      }
      if (apiKey !== null) return known(shown) ?? refused(noSuchKey);
      if (token === null) return refused(hasIssuers ? keyOrToken : keyAlone);
      try {
        return known(shown) ?? (await tokens.verify(token));
      } catch (error) {
        if (error instanceof BadToken) return refused(error.message, challengeOf(error.message));
        if (!(error instanceof IssuerKeysUnavailable)) throw error;
        return { sentence: keysAway, challenge: accepted, isOurs: true };
      }
    },
  };
}

const keyAlone = 'Send an API key of this gateway in the header `x-api-key`.';
const keyOrToken =
  'Send an API key of this gateway in the header `x-api-key`, or a token of a known issuer as `Authorization: Bearer`.';
const noSuchKey =
  'This API key is not known here, has expired or was revoked. Send another in the header `x-api-key`.';
const keysAway = 'The keys of the issuer of this token cannot be read at present; try again later.';

const challengeOf = (sentence: string) =>
  `Bearer error="invalid_token", error_description="${sentence.replaceAll('"', "'")}"`;
