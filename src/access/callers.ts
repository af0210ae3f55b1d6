import type { ApiKey, Caller, MadeKey, TokenIssuer } from '../kernel/caller.ts';
import type { Clock } from '../lib/clock.ts';
import { watchFile } from '../lib/files.ts';
import type { Log } from '../observability/log.ts';
import { createKeyring } from './keyring.ts';
import { BadToken, createTokens, IssuerKeysUnavailable } from './tokens.ts';

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
  /** The parameters of the challenge for a token; null when no token is accepted. */
  readonly tokenChallenge: Readonly<Record<string, string>> | null;
  /** Whether the gateway failed to check them, so that the same credentials may be accepted later. */
  readonly isTemporary: boolean;
}

export type Identity = Caller | CredentialRefusal;

interface CallersOptions {
  /** The keys of the settings. */
  readonly keys: readonly ApiKey[];
  /** The file of made keys. Both functions throw when the file cannot be used. */
  readonly madeKeys: {
    /** Returns the content, or null when there is no file. */
    readonly read: () => string | null;
    readonly parse: (content: string | null) => readonly MadeKey[];
  };
  readonly issuers: readonly TokenIssuer[];
}

const pollMs = 1_000;

export type Callers = ReturnType<typeof openCallers>;

/**
 * Identifies callers by the keys and issuers of the settings and by the file of made keys. A change of the file takes effect
 * within two seconds. A file that cannot be used changes nothing and is logged.
 */
export function openCallers({ keys, madeKeys, issuers }: CallersOptions, clock: Clock, log: Log) {
  const keyring = createKeyring(keys, clock);
  const listeners = new Set<() => void>();
  const first = madeKeys.read();
  keyring.replaceMade(madeKeys.parse(first));
  const watcher = watchFile({
    read: madeKeys.read,
    first,
    everyMs: pollMs,
    clock,
    onChange: (content) => {
      const made = madeKeys.parse(content);
      keyring.replaceMade(made);
      log.info('keys changed', { count: made.length });
    },
    onChecked: () => {
      for (const listener of listeners) listener();
    },
    onError: (error) => log.warn('keys unchanged', { error }),
  });
  const tokens = createTokens(issuers, clock);
  const hasIssuers = issuers.length > 0;
  const refused = (sentence: string): CredentialRefusal => ({
    sentence,
    tokenChallenge: hasIssuers ? {} : null,
    isTemporary: false,
  });
  const verify = async (token: string): Promise<Identity> => {
    try {
      return await tokens.verify(token);
    } catch (error) {
      if (error instanceof BadToken) {
        const tokenChallenge = { error: 'invalid_token', error_description: error.message };
        return { ...refused(error.message), tokenChallenge };
      }
      if (!(error instanceof IssuerKeysUnavailable)) throw error;
      return { ...refused(keysAway), isTemporary: true };
    }
  };
  return {
    /** Whether a token names one of the issuers, so that it must not be sent to the Account API. */
    owns: tokens.owns,
    /** Identifies the caller of a request. A promise only for a token whose signature has to be verified. */
    identify({ apiKey, bearer }: Credentials): Identity | Promise<Identity> {
      const token = bearer !== null && tokens.owns(bearer) ? bearer : null;
      if (apiKey !== null && token !== null) {
        return refused('Send an API key or a token of an issuer, not both.');
      }
      if (apiKey !== null) return keyring.find(apiKey) ?? refused(noSuchKey);
      if (token === null) return refused(hasIssuers ? keyOrToken : keyAlone);
      return tokens.known(token) ?? verify(token);
    },
    /**
     * The caller of an earlier request with the rights of now; null when its key was revoked or has expired. The rights of a
     * token's caller do not change: the gateway does not store the token.
     */
    current: (before: Caller): Caller | null =>
      before.name === null || isTokenName(before.name) ? before : keyring.named(before),
    /** Registers a listener that is called every second, when keys may have changed or expired. */
    onChecked: (listener: () => void): void => void listeners.add(listener),
    close: (): Promise<void> => watcher.close(),
  };
}

/** The name of a token's caller begins with that of its issuer. The name of a key has no colon. */
const isTokenName = (name: string): boolean => name.includes(':');

const keyAlone = 'Send an API key of this gateway in the header `x-api-key`.';
const keyOrToken =
  'Send an API key of this gateway in the header `x-api-key`, or a token of a known issuer as `Authorization: Bearer`.';
const noSuchKey =
  'This API key is not known here, has expired or was revoked. Send another in the header `x-api-key`.';
const keysAway = 'The keys of the issuer of this token cannot be read now; try again later.';
