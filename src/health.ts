import type { Clock } from './kernel/clock.ts';
import type { Journal } from './persistence/store.ts';
import type { Health } from './server/health.ts';

export interface HealthDeps {
  readonly journal: Pick<Journal, 'prove'>;
  readonly clock: Clock;
}

/** Whoever asks within this time is told what was found last: probes come from many sides, and each costs a write. */
const remembersMs = 1_000;
const patienceMs = 2_000;

/** The health of the whole process. `stop` is for the moment it is told to stop. */
export function createHealth({ journal, clock }: HealthDeps): Health & { stop(): void } {
  let isStopping = false;
  let asked: { readonly atMs: number; readonly answer: Promise<string | null> } | null = null;

  const checkJournal = async (): Promise<string | null> => {
    using deadline = clock.deadline(patienceMs);
    const late = new Promise<string>((resolve) => {
      deadline.signal.addEventListener('abort', () => resolve('The journal does not answer.'));
    });
    const proof = journal.prove(clock.now()).then(
      () => null,
      () => 'The journal cannot be written.',
    );
    return await Promise.race([proof, late]);
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
    isStopping: () => isStopping,
    stop() {
      isStopping = true;
    },
  };
}
