import { destination } from 'pino';
import type { Clock } from '../lib/clock.ts';
import { withTimeout } from '../lib/with-timeout.ts';

/** Bytes that may wait for the reader of standard error: about 3,500 log lines. */
const maxBufferedBytes = 1024 * 1024;

/**
 * Lines to a file descriptor. `write` never waits for the reader, whether that is a pipe, a terminal or a file: lines
 * are buffered up to a bound, and what does not fit is dropped and counted.
 */
export class LineStream {
  readonly #stream: ReturnType<typeof destination>;
  #dropped = 0;

  constructor(fd: number) {
    // A line is written immediately unless an earlier write is in progress. A `minLength` of 0 would disable `flush`.
    this.#stream = destination({ fd, sync: false, minLength: 1, maxLength: maxBufferedBytes });
    this.#stream.on('drop', () => {
      this.#dropped += 1;
    });
    // Without a listener a full disk or a closed pipe would end the process. The next write tries again.
    this.#stream.on('error', () => undefined);
  }

  write(line: string): void {
    this.#stream.write(line);
  }

  /** Lines that did not fit into the buffer since the process started. */
  droppedLines(): number {
    return this.#dropped;
  }

  /** Calls `report` with the number of lines dropped since the last report, each time the buffer is empty again. */
  onRecovery(report: (count: number) => void): void {
    let reported = 0;
    this.#stream.on('drain', () => {
      const count = this.#dropped - reported;
      reported = this.#dropped;
      if (count > 0) report(count);
    });
  }

  /** Writes the buffered lines, for up to `limitMs`, and discards the rest: pino would block the exit until it is written. */
  async end(clock: Pick<Clock, 'deadline'>, limitMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#stream.flush(() => resolve());
    await withTimeout(clock, limitMs, promise, undefined);
    this.#stream.destroy();
  }
}

/** Standard error of this process. */
export const standardError = new LineStream(2);
