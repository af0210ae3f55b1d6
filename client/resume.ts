import { ClientError } from './error.ts';

/**
 * The values of a stream that is opened again whenever it ends or its connection is lost, until the caller stops reading.
 * The caller decides from the values when it is complete: a gateway that stops ends its streams too.
 *
 * @throws ClientError that is not temporary. When `signal` aborts: its reason.
 */
export async function* resume<Value>(
  open: () => AsyncIterable<Value>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Value, void, undefined> {
  for (let failures = 0; ; failures += 1) {
    let minMs = 0;
    try {
      for await (const value of open()) {
        failures = 0;
        yield value;
      }
    } catch (error) {
      if (!(error instanceof ClientError && error.isTemporary)) throw error;
      minMs = error.retryAfterMs ?? 0;
    }
    await wait(Math.max(minMs, backOffMs(failures)), signal);
  }
}

/**
 * The result of the first attempt that succeeds. A temporary error is followed by the next attempt, unless it requires a wait
 * of more than 30 seconds.
 *
 * @throws the error of the last attempt. When `signal` aborts during a wait: its reason.
 */
export async function retry<Value>(
  send: () => Promise<Value>,
  maxAttempts: number,
  signal: AbortSignal | undefined,
): Promise<Value> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await send();
    } catch (error) {
      const isOver =
        !(error instanceof ClientError && error.isTemporary) || failures + 1 >= maxAttempts;
      if (isOver || (error.retryAfterMs ?? 0) > maxMs) throw error;
      await wait(Math.max(error.retryAfterMs ?? 0, backOffMs(failures)), signal);
    }
  }
}

const minMs = 250;
const maxMs = 30_000;

/** Exponential back-off with jitter, so that the clients of a restarted gateway do not return at once. */
const backOffMs = (failures: number): number =>
  Math.min(maxMs, minMs * 2 ** failures) * (0.5 + Math.random() / 2);

/** @throws the reason of `signal` when it aborts. */
export function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
