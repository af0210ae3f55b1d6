import type { Clock, Randomness } from '../../src/lib/clock.ts';
import { createDeadline } from '../../src/lib/clock.ts';
import type { Owner, World } from './world.ts';

/** The day on which every run begins. */
export const epochMs = Date.UTC(2026, 0, 15, 12);

/** The clock of a process: its wall time can be wrong and can be set; its monotonic time has its own start. */
export interface ProcessClock extends Clock {
  set(byMs: number): void;
  /** Forgets the waits when the process has ended: Node retains a composed signal, and all that it references, while it has a listener. */
  end(): void;
}

export function createProcessClock(world: World, owner: Owner, skewMs: number): ProcessClock {
  let offsetMs = skewMs;
  const leaving = new Set<() => void>();
  const bootedMs = world.nowMs() - world.random.between(0, 1_000_000);
  return {
    now: () => new Date(epochMs + world.nowMs() + offsetMs),
    monotonicMs: () => world.nowMs() - bootedMs,
    wait: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const leave = () => {
          signal?.removeEventListener('abort', stop);
          leaving.delete(leave);
        };
        const stop = () => {
          leave();
          reject(signal?.reason);
        };
        world.after(ms, owner, () => {
          leave();
          resolve();
        });
        signal?.addEventListener('abort', stop);
        leaving.add(leave);
      }),
    deadline: (ms, abort) =>
      createDeadline((ring) => {
        let isStopped = false;
        world.after(ms, owner, () => isStopped || ring());
        return () => {
          isStopped = true;
        };
      }, abort),
    set(byMs) {
      offsetMs += byMs;
    },
    end() {
      for (const leave of leaving) leave();
    },
  };
}

export const createProcessRandomness = ({ random }: World): Randomness => {
  const digits = (count: number) =>
    Array.from({ length: count }, () => random.index(16).toString(16)).join('');
  return {
    uuid: () => `${digits(8)}-${digits(4)}-4${digits(3)}-8${digits(3)}-${digits(12)}`,
    fraction: random.fraction,
  };
};
