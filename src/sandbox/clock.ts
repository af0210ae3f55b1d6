import type { Clock } from '../kernel/clock.ts';
import { Fault } from '../kernel/faults.ts';
import type { Database } from './database.ts';

/** Past these a period of ten years could end in a year that ISO 8601 writes with more than four digits. */
const earliestMs = Date.UTC(1970, 0);
const latestMs = Date.UTC(9900, 0);
const outside = 'The clock goes from 1970 to 9900.';

/** The handed-in clock, moved by an offset that is kept in the file, so that a restart does not undo it. */
export interface SettableClock extends Clock {
  nowMs(): number;
  /** Moves the clock so that it reads `instant` now. @throws Fault `INVALID_INPUT` outside 1970 to 9900. */
  set(instant: Date): void;
  /** Adds milliseconds; a negative number moves it back, which undoes nothing that has happened. Throws like `set`. */
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
    const reads = base.now().getTime() + to;
    if (!(reads >= earliestMs && reads <= latestMs))
      throw new Fault('INVALID_INPUT', { message: outside });
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
    deadline: (ms, abort) => base.deadline(ms, abort),
    set: (instant) => move(instant.getTime() - base.now().getTime()),
    // Whole milliseconds: the file holds no others.
    advance: (ms) => move(offsetMs + Math.round(ms)),
    reload: () => {
      offsetMs = stored();
    },
  };
}
