import type { Clock } from './kernel/clock.ts';
import { inTime } from './kernel/in-time.ts';
import type { Journal } from './persistence/store.ts';
import { failureOf } from './persistence/unavailable.ts';
import type { Health } from './server/health.ts';
import type { ApiState, UpstreamState } from './upstream/state.ts';

export interface HealthDeps {
  readonly journal: Pick<Journal, 'prove'>;
  readonly clock: Clock;
  /** Of every account. */
  readonly upstreamStates: () => readonly UpstreamState[];
}

/** A result serves this long: many probes may ask, and each check costs a write. */
const reuseMs = 1_000;
const timeoutMs = 2_000;

/** The health of the whole process. `stop` is called when the process is asked to stop. */
export function createHealth({
  journal,
  clock,
  upstreamStates,
}: HealthDeps): Health & { stop(): void } {
  let isStopping = false;
  let proof: Promise<string | null> | null = null;
  let last: { readonly atMs: number; readonly result: Promise<string | null> } | null = null;

  /** One write at a time, however long it takes. */
  const prove = (): Promise<string | null> => {
    proof ??= journal
      .prove(clock.now())
      .then(
        () => null,
        (error: unknown) => failureOf(error) ?? 'The journal cannot be written.',
      )
      .finally(() => {
        proof = null;
      });
    return proof;
  };

  return {
    async readiness() {
      if (isStopping) return 'The gateway is shutting down.';
      const nowMs = clock.monotonicMs();
      if (!last || nowMs - last.atMs > reuseMs) {
        const result = inTime(clock, timeoutMs, prove(), 'The journal does not answer.');
        last = { atMs: nowMs, result };
      }
      return last.result;
    },
    upstream() {
      const states = upstreamStates();
      return {
        domain: worst(states.map(({ domain }) => domain)),
        account: worst(states.flatMap(({ account }) => account ?? [])),
      };
    },
    isStopping: () => isStopping,
    stop() {
      isStopping = true;
    },
  };
}

/** Of the accounts together, the worst: nobody is told how many there are, or which fares how. */
function worst(apis: readonly ApiState[]): string {
  const breakers = new Set(
    apis.flatMap(({ actions }) => Object.values(actions).map(({ breaker }) => breaker)),
  );
  if (apis.some(({ loginPausedForMs }) => loginPausedForMs > 0)) return 'login refused';
  if (apis.some(({ heldForMs }) => heldForMs > 0)) return 'asked to wait';
  return (['open', 'half-open'] as const).find((state) => breakers.has(state)) ?? 'closed';
}
