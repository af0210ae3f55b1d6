import type { Clock } from './kernel/clock.ts';
import { inTime } from './kernel/in-time.ts';
import type { Journal } from './persistence/store.ts';
import type { Health } from './server/health.ts';
import type { ApiState, UpstreamState } from './upstream/state.ts';

export interface HealthDeps {
  readonly journal: Pick<Journal, 'prove'>;
  readonly clock: Clock;
  /** Of every account. */
  readonly upstreamStates: () => readonly UpstreamState[];
}

/** Whoever asks within this time is told what was found last: probes come from many sides, and each costs a write. */
const remembersMs = 1_000;
const patienceMs = 2_000;

/** The health of the whole process. `stop` is for the moment it is told to stop. */
export function createHealth({
  journal,
  clock,
  upstreamStates,
}: HealthDeps): Health & { stop(): void } {
  let isStopping = false;
  let asked: { readonly atMs: number; readonly answer: Promise<string | null> } | null = null;

  const checkJournal = (): Promise<string | null> => {
    const proof = journal.prove(clock.now()).then(
      () => null,
      () => 'The journal cannot be written.',
    );
    return inTime(clock, patienceMs, proof, 'The journal does not answer.');
  };

  return {
    async readiness() {
      if (isStopping) return 'The gateway is shutting down.';
      const nowMs = clock.monotonicMs();
      if (!asked || nowMs - asked.atMs > remembersMs) {
        asked = { atMs: nowMs, answer: checkJournal() };
      }
      return asked.answer;
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
