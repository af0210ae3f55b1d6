import type { Caller } from '../kernel/caller.ts';
import { BadToken } from './bad-token.ts';
import { IssuerKeysUnavailable } from './issuer-keys.ts';
import type { Keyring } from './keyring.ts';
import type { Tokens } from './tokens.ts';

/** The credentials of a request; null for each that it does not have. */
export interface Credentials {
  readonly apiKey: string | null;
  /** The Bearer token of `Authorization`. */
  readonly bearer: string | null;
}

/** Why the credentials identify no caller. */
export interface CredentialRefusal {
  /** One sentence that contains nothing of the credentials. */
  readonly sentence: string;
  /** The value of the header `www-authenticate`. */
  readonly challenge: string;
  /** Whether the gateway failed to check them, so that the same credentials may be accepted later. */
  readonly isTemporary: boolean;
}

/** Identifies the caller of a request. */
export interface Callers {
  /** The caller, when it can be found without waiting; else null, and `identify` decides. */
  known(shown: Credentials): Caller | null;
  identify(shown: Credentials): Promise<Caller | CredentialRefusal>;
  /** Whether a token names one of the issuers, so that it must not be sent to the Account API. */
  owns(token: string): boolean;
}

export function createCallers(keyring: Keyring, tokens: Tokens, hasIssuers: boolean): Callers {
  const known: Callers['known'] = ({ apiKey, bearer }) => {
    const isToken = bearer !== null && tokens.owns(bearer);
    if (apiKey === null) return isToken ? tokens.known(bearer) : null;
    return isToken ? null : keyring.find(apiKey);
  };
  const accepted = hasIssuers ? 'ApiKey, Bearer' : 'ApiKey';
  const refused = (sentence: string, challenge = accepted): CredentialRefusal => ({
    sentence,
    challenge,
    isTemporary: false,
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
        return { sentence: keysAway, challenge: accepted, isTemporary: true };
      }
    },
  };
}

const keyAlone = 'Send an API key of this gateway in the header `x-api-key`.';
const keyOrToken =
  'Send an API key of this gateway in the header `x-api-key`, or a token of a known issuer as `Authorization: Bearer`.';
const noSuchKey =
  'This API key is not known here, has expired or was revoked. Send another in the header `x-api-key`.';
const keysAway = 'The keys of the issuer of this token cannot be read now; try again later.';

const challengeOf = (sentence: string) =>
  `Bearer error="invalid_token", error_description="${sentence.replaceAll('"', "'")}"`;
