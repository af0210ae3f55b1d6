import type { Fault, FaultCode } from '../../kernel/faults.ts';
import type { Secret } from '../../kernel/secret.ts';
import { listedSpelling } from '../wire/error-codes.ts';
import { createOpenState, type OpenStateOptions } from './circuit-breaker.ts';

/** The credentials of the reseller account. */
export interface Login {
  readonly username: string;
  readonly password: Secret;
}

const loginFaults: ReadonlySet<FaultCode> = new Set(['UPSTREAM_AUTH', 'IP_NOT_ALLOWED']);
/** EPP codes: a registry refuses the upstream's own login, not ours. */
const registryCodes: ReadonlySet<string> = new Set(['API_2200_ERROR', 'API_2501_ERROR']);

/** Whether the upstream refuses this login, or every login from this address. */
export const isLoginRefused = ({ code, upstream }: Fault): boolean =>
  loginFaults.has(code) && !(upstream && registryCodes.has(listedSpelling(upstream.code)));

/**
 * Whether the upstream refuses the login with a word, and not with the number of a refused login. It sends the word as well when
 * it cannot read the account from its own backend.
 */
export const isRefusedInWords = ({ upstream }: Fault): boolean =>
  upstream !== undefined && listedSpelling(upstream.code) === 'INVALID_CREDENTIALS';

/** The login of an attempt. */
export interface SentLogin {
  readonly login: Login;
  readonly isTrial: boolean;
}

interface LoginPauseOptions extends OpenStateOptions {
  /** Returns the current login, which may change at any time. */
  readonly login: () => Login;
  /** Called for each refusal of the current login. */
  readonly onLoginRefused?: ((fault: Fault) => void) | undefined;
}

export type LoginPause = ReturnType<typeof createLoginPause>;

/**
 * Stops calls with a login that was refused, so that the upstream does not lock the account. A refusal in words counts when the
 * next reply is one too. After each pause one trial call uses the login; a changed login ends the pause immediately.
 */
export function createLoginPause({ login, onLoginRefused, ...options }: LoginPauseOptions) {
  const circuit = createOpenState(options);
  let refused: { readonly login: Login; readonly fault: Fault } | null = null;
  /** The login that the last reply refused in words. */
  let doubted: Login | null = null;

  const closeIfLoginChanged = () => {
    if (!refused || isSame(refused.login, login())) return;
    refused = null;
    circuit.close();
  };

  return {
    /** Milliseconds until the login is tried; 0 when it may be used. */
    leftMs(): number {
      closeIfLoginChanged();
      return circuit.leftMs();
    },
    /** @throws Fault the one that refused the login, while it must not be used. */
    check(): void {
      closeIfLoginChanged();
      if (refused && circuit.rejects()) throw refused.fault.with({ executed: 'NO' });
    },
    /** Admits an attempt directly after its `check`. Each needs its `leave`. */
    enter: (): SentLogin => ({ login: login(), isTrial: circuit.enter() }),
    /** `fault` is the refusal; null when the upstream accepted the login; undefined when the reply does not show it. */
    leave(sent: SentLogin, fault: Fault | null | undefined): void {
      closeIfLoginChanged();
      // The result of an earlier login says nothing about the current one.
      if (!isSame(sent.login, login())) return;
      if (fault) {
        if (refused && !sent.isTrial) return;
        const isFirst = !doubted || !isSame(doubted, sent.login);
        doubted = sent.login;
        if (!refused && isFirst && isRefusedInWords(fault)) return;
        refused = { login: sent.login, fault };
        circuit.open();
        onLoginRefused?.(fault);
        return;
      }
      if (fault === null) doubted = null;
      if (sent.isTrial && refused) {
        if (fault === null) {
          refused = null;
          circuit.close();
        } else circuit.abandonTrial();
      }
    },
  };
}

const isSame = (one: Login, other: Login): boolean =>
  one.username === other.username && one.password.reveal() === other.password.reveal();
