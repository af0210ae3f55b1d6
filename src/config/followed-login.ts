import { Secret } from '../kernel/secret.ts';
import type { Clock } from '../lib/clock.ts';
import { watchFile } from '../lib/files.ts';
import { readLoginFile } from './secret-file.ts';
import type { TenantConfig } from './tenants.ts';

const pollMs = 2_000;

interface FollowOptions {
  readonly clock: Clock;
  /** Receives one sentence without a secret. */
  readonly warn: (sentence: string) => void;
}

/**
 * Polls the files of a login, which can change while the gateway runs. A new password is used from the next call on. A file that cannot be used changes nothing and
 * is reported. A new user name is reported only: it would be another tenant, with its own purchases in the journal.
 */
export function followLogin(
  { name, login }: Pick<TenantConfig, 'name' | 'login'>,
  { clock, warn }: FollowOptions,
) {
  const username = login.username.reveal();
  let { password } = login;

  const follow = (
    label: string,
    file: string | null,
    first: string,
    onChange: (text: string | null) => void,
  ) => {
    if (file === null) return null;
    const read = () => {
      const found = readLoginFile(file);
      if ('problem' in found) throw new Error(found.problem);
      return found.text;
    };
    const onError = ({ message }: Error) =>
      warn(`The ${label} file of "${name}" ${message}; the previous ${label} stays in use.`);
    return watchFile({ read, first, everyMs: pollMs, clock, onChange, onError });
  };
  const watchers = [
    follow('password', login.passwordFile, password.reveal(), (text) => {
      password = new Secret(text ?? '');
    }),
    follow('user name', login.usernameFile, username, (text) => {
      if (text === username) return;
      warn(`The user name of "${name}" has changed, which needs a restart of the gateway.`);
    }),
  ];

  return {
    /** The current login. */
    credentials: () => ({ username, password }),
    async close() {
      await Promise.all(watchers.map((watcher) => watcher?.close()));
    },
  };
}
