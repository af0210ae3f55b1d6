import { Fault } from '../kernel/faults.ts';
import type { Clock } from '../lib/clock.ts';
import type { Database } from './database.ts';

/** Past these a period of ten years could end in a year that ISO 8601 writes with more than four digits. */
const earliestMs = Date.UTC(1970, 0);
const latestMs = Date.UTC(9900, 0);
const outside = 'The clock goes from 1970 to 9900.';

/** The given clock plus an offset, which is stored in the file and survives a restart. */
export interface SettableClock extends Clock {
  nowMs(): number;
  /** Sets the clock to `instant`. @throws Fault `INVALID_INPUT` outside 1970 to 9900. */
  set(instant: Date): void;
  /** Adds milliseconds; a negative number moves the clock back and changes no data. Throws like `set`. */
  advance(ms: number): void;
  /** Reads the offset again after a reset. */
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
    // Waiting uses real time, also after the clock was moved.
    wait: (ms, signal) => base.wait(ms, signal),
    deadline: (ms, abort) => base.deadline(ms, abort),
    set: (instant) => move(instant.getTime() - base.now().getTime()),
    // The file stores whole milliseconds.
    advance: (ms) => move(offsetMs + Math.round(ms)),
    reload: () => {
      offsetMs = stored();
    },
  };
}
