import type { Clock } from '../kernel/clock.ts';
import { repeat } from '../kernel/repeat.ts';
import { Secret } from '../kernel/secret.ts';
import { readSecretFileLater, secretText } from './secret-file.ts';
import type { TenantConfig } from './tenants.ts';

/** A login whose password may be changed in its file at any time. */
export interface FollowedLogin {
  /** For a call that is made now. */
  readonly credentials: () => { readonly username: string; readonly password: Secret };
  close(): Promise<void>;
}

const defaultEveryMs = 2_000;

/**
 * Looks at the files of a login every few seconds, at what is in them: a volume may swap a file without touching it.
 *
 * What cannot be used is told once by `warn`, in a sentence without a secret, and what was known before serves on. So does
 * the user name: another one is another account, which has a journal of its own.
 */
export function followLogin(
  { name, login }: Pick<TenantConfig, 'name' | 'login'>,
  {
    clock,
    warn,
    everyMs = defaultEveryMs,
  }: {
    readonly clock: Clock;
    readonly warn: (sentence: string) => void;
    readonly everyMs?: number;
  },
): FollowedLogin {
  const username = login.username.reveal();
  let { password } = login;
  const looks = [
    lookAt(login.passwordFile, login.password, {
      changed: (text) => {
        password = new Secret(text);
      },
      useless: (problem) =>
        warn(`The password file of "${name}" ${problem}; the password from before serves on.`),
    }),
    lookAt(login.usernameFile, login.username, {
      changed: (text) => {
        if (text === username) return;
        warn(`The user name of "${name}" has changed, so it is another account: start again.`);
      },
      useless: (problem) =>
        warn(`The user name file of "${name}" ${problem}; the name from before serves on.`),
    }),
  ].filter((look) => look !== null);

  const credentials = () => ({ username, password });
  if (looks.length === 0) return { credentials, close: async () => undefined };
  const following = repeat(clock, everyMs, async () => {
    for (const look of looks) await look();
  });
  return { credentials, close: following.close };
}

interface Reactions {
  readonly changed: (text: string) => void;
  /** `problem` completes "The file …". */
  readonly useless: (problem: string) => void;
}

/** A look that tells what is new since the one before; null without a file. */
function lookAt(file: string | null, known: Secret, { changed, useless }: Reactions) {
  if (file === null) return null;
  let seen = { text: known.reveal(), problem: '' };
  return async () => {
    const read = await readSecretFileLater(file);
    const isUsable = 'text' in read && secretText.safeParse(read.text).success;
    const now = isUsable
      ? { text: read.text, problem: '' }
      : { text: '', problem: 'problem' in read ? read.problem : 'cannot be a login' };
    if (now.text === seen.text && now.problem === seen.problem) return;
    seen = now;
    if (isUsable) changed(now.text);
    else useless(now.problem);
  };
}
