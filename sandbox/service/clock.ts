import { invalidInput } from '../../src/kernel/faults.ts';
import type { Clock } from '../../src/lib/clock.ts';
import type { SandboxDatabase } from './database.ts';

/** Beyond these a period of ten years could end in a year that ISO 8601 writes with more than four digits. */
const earliestMs = Date.UTC(1970, 0);
const latestMs = Date.UTC(9900, 0);
const outside = 'The clock goes from 1970 to 9900.';

export type SettableClock = ReturnType<typeof createSettableClock>;

/** The given clock plus an offset, which is stored in the file and survives a restart. */
export function createSettableClock(base: Clock, { get, run }: SandboxDatabase) {
  const stored = () =>
    Number(get("SELECT value FROM meta WHERE key = 'clock_offset_ms'")?.value ?? 0);
  let offsetMs = stored();
  const move = (to: number) => {
    const reads = base.now().getTime() + to;
    if (!(reads >= earliestMs && reads <= latestMs)) throw invalidInput(outside);
    run("INSERT OR REPLACE INTO meta (key, value) VALUES ('clock_offset_ms', ?)", String(to));
    offsetMs = to;
  };
  const nowMs = () => base.now().getTime() + offsetMs;

  return {
    offsetMs: () => offsetMs,
    nowMs,
    now: () => new Date(nowMs()),
    // Waiting uses real time, also after the clock was moved.
    wait: (ms: number, signal: AbortSignal) => base.wait(ms, signal),
    /** @throws Fault `INVALID_INPUT` outside 1970 to 9900. */
    set: (instant: Date) => move(instant.getTime() - base.now().getTime()),
    /** A negative number moves the clock back and changes no data. The file stores whole milliseconds. Throws like `set`. */
    advance: (ms: number) => move(offsetMs + Math.round(ms)),
    /** Reads the offset again after a reset. */
    reload(): void {
      offsetMs = stored();
    },
  };
}
