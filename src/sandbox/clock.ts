import type { Clock } from '../kernel/clock.ts';
import type { Database } from './database.ts';

/** The handed-in clock, moved by an offset that is kept in the file, so that a restart does not undo it. */
export interface SettableClock extends Clock {
  nowMs(): number;
  /** Moves the clock so that it reads `instant` now. */
  set(instant: Date): void;
  /** Adds milliseconds; a negative number moves it back, which undoes nothing that has happened. */
  advance(ms: number): void;
  /** Reads the offset again, after the file was reset. */
  reload(): void;
}

export function createSettableClock(base: Clock, database: Database): SettableClock {
  const read = database.prepare("SELECT value FROM meta WHERE key = 'clock_offset_ms'");
  const write = database.prepare(
    "INSERT INTO meta (key, value) VALUES ('clock_offset_ms', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
  );
  const stored = () => Number(read.get()?.value ?? 0);
  let offsetMs = stored();
  const move = (to: number) => {
    write.run(String(to));
    offsetMs = to;
  };
  const nowMs = () => base.now().getTime() + offsetMs;

  return {
    nowMs,
    now: () => new Date(nowMs()),
    monotonicMs: () => base.monotonicMs(),
    // Waiting is real time: a demo that jumps a year does not want to wait for it.
    wait: (ms, signal) => base.wait(ms, signal),
    timeout: (ms) => base.timeout(ms),
    set: (instant) => move(instant.getTime() - base.now().getTime()),
    advance: (ms) => move(offsetMs + ms),
    reload: () => {
      offsetMs = stored();
    },
  };
}
