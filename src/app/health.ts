import { defaultTenant } from '../kernel/caller.ts';
import type { Clock } from '../lib/clock.ts';
import { withTimeout } from '../lib/waits.ts';
import type { Journal } from '../persistence/journal.ts';
import { failureOf } from '../persistence/unavailable.ts';
import type { Health } from '../server/http/routes.ts';
import type { ApiState, UpstreamState } from '../upstream/client/gate.ts';
import type { LoginState } from './login-check.ts';

interface HealthDeps {
  readonly journal: Pick<Journal, 'checkWritable'>;
  readonly clock: Clock;
  /** Of every tenant. */
  readonly upstreamStates: () => readonly UpstreamState[];
  /** Of every tenant. */
  readonly logins: () => readonly LoginState[];
}

/** A result is reused this long, because each check writes to the journal. */
const reuseMs = 1_000;
const timeoutMs = 2_000;

/** The health of the process. `stop` is called when it begins to stop. */
export function createHealth({
  journal,
  clock,
  upstreamStates,
  logins,
}: HealthDeps): Health & { stop(): void } {
  let isStopping = false;
  /** There is one write at a time, also when it takes longer than `timeoutMs`. */
  let isWriting = false;
  let latest: { readonly atMs: number; readonly result: Promise<string | null> } | null = null;

  const checkJournal = async (): Promise<string | null> => {
    isWriting = true;
    try {
      await journal.checkWritable(clock.now());
      return null;
    } catch (error) {
      return failureOf(error) ?? 'The journal cannot be written.';
    } finally {
      isWriting = false;
    }
  };

  /** A new process is not ready before it knows whether the login is refused. An upstream that does not respond delays it only. */
  const whyLoginRefused = async (): Promise<string | null> => {
    const all = logins();
    const checks = Promise.all(all.map(({ checked }) => checked));
    await withTimeout(clock, timeoutMs, checks, undefined);
    const refusals = all.flatMap((login) => login.refusal() ?? []);
    const ofDefault = all.find(({ tenant }) => tenant === defaultTenant)?.refusal() ?? null;
    return ofDefault ?? (refusals.length === all.length ? (refusals[0] ?? null) : null);
  };

  return {
    async readiness() {
      if (isStopping) return 'The gateway is shutting down.';
      const nowMs = clock.monotonicMs();
      if (!latest || (!isWriting && nowMs - latest.atMs > reuseMs)) {
        latest = { atMs: nowMs, result: checkJournal() };
      }
      const work = withTimeout(clock, timeoutMs, latest.result, 'The journal does not respond.');
      return (await work) ?? whyLoginRefused();
    },
    upstream() {
      const states = upstreamStates();
      const domain = states.map((state) => state.domain);
      const account = states.flatMap((state) => state.account ?? []);
      return {
        domain: logins().some((login) => login.refusal() !== null)
          ? loginRefused
          : worstState(domain),
        account: worstState(account),
        ...reasonOf('domainReason', domain),
        ...reasonOf('accountReason', account),
      };
    },
    isStopping: () => isStopping,
    stop() {
      isStopping = true;
    },
  };
}

const loginRefused = 'login refused';

/** Why an API is unavailable, of the first tenant for which it is; nothing while it works. */
function reasonOf(name: string, apis: readonly ApiState[]): Readonly<Record<string, string>> {
  const reason = apis.map(({ unavailable }) => unavailable).find((one) => one !== null);
  return reason ? { [name]: reason } : {};
}

/** The worst state of any tenant. The response is public, so it does not show how many tenants there are. */
function worstState(apis: readonly ApiState[]): string {
  const states = new Set(apis.flatMap(({ breakers }) => Object.values(breakers)));
  if (apis.some(({ loginPausedForMs }) => loginPausedForMs > 0)) return loginRefused;
  if (apis.some(({ pausedForMs }) => pausedForMs > 0)) return 'asked to wait';
  return (['open', 'half-open'] as const).find((state) => states.has(state)) ?? 'closed';
}
