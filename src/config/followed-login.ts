import { Secret } from '../kernel/secret.ts';
import type { Clock } from '../lib/clock.ts';
import { watchFile } from '../lib/watch-file.ts';
import { readLoginFile } from './secret-file.ts';
import type { TenantConfig } from './tenants.ts';

/** A login whose password file can change while the gateway runs. */
export interface FollowedLogin {
  /** The current login. */
  readonly credentials: () => { readonly username: string; readonly password: Secret };
  close(): Promise<void>;
}

const pollMs = 2_000;

interface Options {
  readonly clock: Clock;
  /** Receives one sentence without a secret. */
  readonly warn: (sentence: string) => void;
}

/**
 * Polls the files of a login. A new password is used from the next call on. A file that cannot be used changes nothing and
 * is reported. A new user name is reported only: it would be another tenant, with its own purchases in the journal.
 */
export function followLogin(
  { name, login }: Pick<TenantConfig, 'name' | 'login'>,
  { clock, warn }: Options,
): FollowedLogin {
  const username = login.username.reveal();
  let { password } = login;

  const follow = (
    label: string,
    file: string | null,
    first: string,
    onChange: (text: string) => void,
  ) =>
    file === null
      ? []
      : watchFile({
          read: () => {
            const read = readLoginFile(file);
            if ('problem' in read) throw new Error(read.problem);
            return read.text;
          },
          first,
          everyMs: pollMs,
          clock,
          onChange: (text) => onChange(text ?? ''),
          onError: ({ message }) =>
            warn(`The ${label} file of "${name}" ${message}; the previous ${label} stays in use.`),
        });
  const watchers = [
    follow('password', login.passwordFile, password.reveal(), (text) => {
      password = new Secret(text);
    }),
    follow('user name', login.usernameFile, username, (text) => {
      if (text === username) return;
      warn(`The user name of "${name}" has changed, which needs a restart of the gateway.`);
    }),
  ].flat();

  return {
    credentials: () => ({ username, password }),
    async close() {
      await Promise.all(watchers.map((watcher) => watcher.close()));
    },
  };
}
