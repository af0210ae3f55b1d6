import type { Clock } from './clock.ts';

interface WatchFileOptions {
  /** Returns the content, or null when there is no file. Throws or rejects when the file cannot be read or used. */
  readonly read: () => string | null | Promise<string | null>;
  /** The content that the caller has already. */
  readonly first: string | null;
  readonly everyMs: number;
  readonly clock: Pick<Clock, 'wait'>;
  /** Receives each new content once. An error that it throws is reported as one of `read`. */
  readonly onChange: (content: string | null) => void;
  /** Called after each read, also when nothing changed. */
  readonly onChecked?: () => void;
  /** Receives an error of `read` or `onChange`, once until its message changes or the file can be read again. */
  readonly onError: (error: Error) => void;
}

/**
 * Polls the content of a file. The modification time is not used: a mounted volume may replace a file without changing it.
 * `close` waits for a read in progress.
 */
export function watchFile(options: WatchFileOptions): { close(): Promise<void> } {
  const { read, everyMs, clock, onChange, onError } = options;
  const stop = new AbortController();
  let content = options.first;
  let reported = '';

  const check = async () => {
    try {
      const next = await read();
      reported = '';
      if (next === content) return;
      content = next;
      onChange(next);
    } catch (thrown) {
      const error = thrown instanceof Error ? thrown : new Error(String(thrown));
      if (error.message !== reported) onError(error);
      reported = error.message;
    }
  };
  const run = async () => {
    while (!stop.signal.aborted) {
      await clock.wait(everyMs, stop.signal);
      await check();
      options.onChecked?.();
    }
  };
  const running = run().catch((error: unknown) => {
    if (!stop.signal.aborted) throw error;
  });
  return {
    async close() {
      stop.abort();
      await running;
    },
  };
}
