import type { ApiKey, MadeKey, TokenIssuer } from '../kernel/caller.ts';
import type { Clock } from '../lib/clock.ts';
import { watchFile } from '../lib/watch-file.ts';
import type { Log } from '../observability/log.ts';
import { type Callers, createCallers } from './callers.ts';
import { createIssuerKeys } from './issuer-keys.ts';
import { createKeyring } from './keyring.ts';
import { createTokens } from './tokens.ts';

export interface CallersOptions {
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

export interface CallersDeps {
  readonly clock: Clock;
  readonly log: Log;
}

const pollMs = 1_000;

/**
 * Identifies callers by the keys and issuers of the settings and by the file of made keys. A change of the file takes effect
 * within two seconds. A file that cannot be used changes nothing and is logged.
 */
export function openCallers(
  { keys, madeKeys, issuers }: CallersOptions,
  { clock, log }: CallersDeps,
): Callers & { close(): Promise<void> } {
  const keyring = createKeyring(keys, clock);
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
    onError: (error) => log.warn('keys unchanged', { error }),
  });
  const tokens = createTokens(
    issuers.map((issuer) => ({ ...issuer, keys: createIssuerKeys(issuer.jwks, clock) })),
    clock,
  );
  return { ...createCallers(keyring, tokens, issuers.length > 0), close: () => watcher.close() };
}
