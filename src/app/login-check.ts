import { Fault, valueOr } from '../kernel/faults.ts';
import type { Clock } from '../lib/clock.ts';
import type { DomainActions } from '../upstream/domain-api/client.ts';
import { isLoginRefused } from '../upstream/policies/login-pause.ts';
import { isBackendFailure } from '../upstream/wire/error-codes.ts';

/** While the login is refused: milliseconds between two checks whether it may be tried. */
const everyMs = 2_000;

/** The reason of a refused login, and what to do. */
export const describeRefusal = ({ code }: Fault): string =>
  code === 'IP_NOT_ALLOWED'
    ? 'The registrar refuses calls from the address of this gateway; have the address allowed at the registrar.'
    : 'The registrar refuses the login; correct DOMAIN_API_USERNAME and DOMAIN_API_PASSWORD, or TENANTS.';

/**
 * The login of one tenant, as `/health/ready` sees it. The other calls of the tenant report a refusal.
 */
export interface LoginState {
  readonly tenant: string;
  /** Why the login is refused, in one sentence; null while it is not known to be refused. */
  refusal(): string | null;
  /** Resolves when the check of the start has ended. */
  readonly checked: Promise<void>;
}

type CheckedLogin =
  | { readonly kind: 'accepted'; readonly balances: readonly string[] }
  | { readonly kind: 'refused' | 'unknown'; readonly fault: Fault };

/** Sends the login once with `resellerdetails`, which changes nothing. `unknown`: the reply does not show whether it is accepted. */
export async function checkLogin(
  { resellerdetails }: Pick<DomainActions, 'resellerdetails'>,
  signal: AbortSignal,
): Promise<CheckedLogin> {
  try {
    const { balances } = await resellerdetails({}, { signal });
    const readable = valueOr(balances, []).flatMap(({ money }) => valueOr(money, []));
    const texts = readable.map(({ amount, currency }) => `${amount} ${currency}`);
    return { kind: 'accepted', balances: texts };
  } catch (error) {
    if (!(error instanceof Fault)) {
      if (!signal.aborted) throw error;
      return { kind: 'unknown', fault: new Fault('UPSTREAM_UNAVAILABLE') };
    }
    if (isLoginRefused(error)) return { kind: 'refused', fault: error };
    // Any other error code shows that the login was accepted.
    return error.upstream && !isBackendFailure(error.upstream.code)
      ? { kind: 'accepted', balances: [] }
      : { kind: 'unknown', fault: error };
  }
}

interface LoginWatchOptions {
  readonly tenant: string;
  readonly clock: Pick<Clock, 'wait'>;
  /** Called at the first refusal with its sentence, and with null when the login is accepted again. */
  readonly onChange: (refusal: string | null) => void;
}

interface LoginCalls {
  readonly actions: Pick<DomainActions, 'resellerdetails'>;
  /** Milliseconds until a refused login may be sent again. */
  readonly pausedForMs: () => number;
}

/**
 * Checks the login by `resellerdetails` once at the start, and while it is refused after each pause of the upstream client.
 * A changed login ends that pause. While the login is accepted there are no calls.
 */
export function watchLogin({ tenant, clock, onChange }: LoginWatchOptions) {
  const stop = new AbortController();
  const { signal } = stop;
  let calls: LoginCalls | null = null;
  let refusal: string | null = null;
  let rechecking: Promise<void> = Promise.resolve();
  let checked: Promise<void> = Promise.resolve();

  const check = async ({ actions }: LoginCalls) => {
    const result = await checkLogin(actions, signal);
    if (signal.aborted) return;
    if (result.kind === 'accepted') accepted();
    if (result.kind === 'refused') refused(result.fault);
  };
  const accepted = () => {
    if (refusal === null) return;
    refusal = null;
    onChange(null);
  };
  const refused = (fault: Fault) => {
    if (!calls || refusal !== null) return;
    refusal = describeRefusal(fault);
    onChange(refusal);
    rechecking = recheck(calls);
  };
  const recheck = async (current: LoginCalls) => {
    while (refusal !== null && !signal.aborted) {
      await clock.wait(everyMs, signal).catch(() => undefined);
      if (!signal.aborted && current.pausedForMs() === 0) await check(current);
    }
  };

  return {
    state: {
      tenant,
      refusal: () => refusal,
      get checked() {
        return checked;
      },
    } satisfies LoginState,
    /** Reports that a call of the tenant was refused. */
    refused,
    /** From now on the login is watched. */
    start(started: LoginCalls): void {
      calls = started;
    },
    /** Checks the login of a watch that was started. */
    check(): void {
      if (calls) checked = check(calls);
    },
    async close(): Promise<void> {
      stop.abort();
      await Promise.all([checked, rechecking]);
    },
  };
}
