import type { Clock, Randomness } from '../../kernel/clock.ts';
import type { Fault, FaultCode } from '../../kernel/faults.ts';
import type { Secret } from '../../kernel/secret.ts';
import { createRecess, type PauseLimits } from './recess.ts';

/** What the reseller account is used with. */
export interface Login {
  readonly username: string;
  readonly password: Secret;
}

const refusals: ReadonlySet<FaultCode> = new Set(['UPSTREAM_AUTH', 'IP_NOT_ALLOWED']);
/** EPP codes: a registry does not take the login of the service, which is not ours. */
const ofRegistries: ReadonlySet<string> = new Set(['API_2200_ERROR', 'API_2501_ERROR']);

/** Whether the service says that it does not take this login, or takes none from here. */
export const isLoginRefused = ({ code, upstream }: Fault): boolean =>
  refusals.has(code) && !(upstream && ofRegistries.has(upstream.code));

/** An attempt, and what it was sent with. */
export interface SentLogin {
  readonly login: Login;
  readonly isTrial: boolean;
}

interface LoginPauseOptions extends PauseLimits {
  readonly clock: Clock;
  readonly randomness: Randomness;
  /** The login of today. */
  readonly login: () => Login;
}

export type LoginPause = ReturnType<typeof createLoginPause>;

/**
 * Stops calling with a login that was refused, so that the account is not locked because of it. One call at a time tries
 * it after each pause; another login ends the pause at once.
 */
export function createLoginPause({ login, ...options }: LoginPauseOptions) {
  const recess = createRecess(options);
  let refused: { readonly login: Login; readonly fault: Fault } | null = null;

  const liftForAnother = () => {
    if (!refused || isSame(refused.login, login())) return;
    refused = null;
    recess.end();
  };

  return {
    /** Milliseconds until the login is tried again; 0 when it may be. */
    leftMs(): number {
      liftForAnother();
      return recess.leftMs();
    },
    /** @throws Fault that the login was refused with, while it must not be used. */
    check(): void {
      liftForAnother();
      if (refused && recess.keepsOut()) throw refused.fault.with({ executed: 'NO' });
    },
    /** For an attempt that `check` let pass in this very moment. Each needs its `leave`. */
    enter: (): SentLogin => ({ login: login(), isTrial: recess.enter() }),
    /** `fault` is the refusal, null for an answer to a login that was taken, and undefined where nobody can tell. */
    leave(sent: SentLogin, fault: Fault | null | undefined): void {
      liftForAnother();
      // What became of an earlier login says nothing of this one.
      if (!isSame(sent.login, login())) return;
      if (fault) {
        if (refused && !sent.isTrial) return;
        refused = { login: sent.login, fault };
        recess.begin();
      } else if (sent.isTrial && refused) {
        if (fault === null) {
          refused = null;
          recess.end();
        } else recess.abandon();
      }
    },
  };
}

const isSame = (one: Login, other: Login): boolean =>
  one.username === other.username && one.password.reveal() === other.password.reveal();
