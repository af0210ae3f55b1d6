import type { KeysConfig } from '../config/config.ts';
import { parseKeys, readKeysText } from '../config/keys-file.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Log } from '../observability/log.ts';
import { type Callers, createCallers } from './callers.ts';
import { followFile } from './follow-file.ts';
import { createIssuerKeys } from './issuer-keys.ts';
import { createKeyring } from './keyring.ts';
import { fetchJwks, readJwksFile } from './read-jwks.ts';
import { createTokens } from './tokens.ts';

export interface CallersDeps {
  readonly clock: Clock;
  readonly log: Log;
}

const everyMs = 1_000;

/**
 * Who is let in by these settings. The file of made keys is followed while the gateway runs: what is made or revoked holds
 * within two seconds, a broken file changes nothing, and without a file there are no made keys.
 */
export function openCallers(
  { keys, keysFile, issuers }: KeysConfig,
  { clock, log }: CallersDeps,
): Callers & { close(): Promise<void> } {
  const keyring = createKeyring(keys, clock);
  const first = readKeysText(keysFile);
  keyring.replaceMade(parseKeys(first));
  const following = followFile({
    read: () => readKeysText(keysFile),
    first,
    everyMs,
    clock,
    onChange: (text) => {
      const made = parseKeys(text);
      keyring.replaceMade(made);
      log.info('keys changed', { count: made.length });
    },
    onTrouble: (error) => log.warn('keys unchanged', { error }),
  });
  const tokens = createTokens(
    issuers.map((issuer) => {
      const { jwks } = issuer;
      const read = 'url' in jwks ? fetchJwks(jwks.url, clock) : readJwksFile(jwks.file);
      return { ...issuer, keys: createIssuerKeys(read, clock) };
    }),
    clock,
  );
  return { ...createCallers(keyring, tokens, issuers.length > 0), close: () => following.close() };
}
