import { Fault, type FaultOptions } from '../kernel/faults.ts';

/** Why the store cannot be used: a sentence without secrets, for the log and the health response. */
export class JournalFailure extends Error {
  override readonly name = 'JournalFailure';
}

/** The sentence of a journal fault; null when there is only the driver's error. */
export const failureOf = (error: unknown): string | null =>
  error instanceof Error && error.cause instanceof JournalFailure ? error.cause.message : null;

/** `JOURNAL_UNAVAILABLE` with the driver's error as its `cause`, which is logged and never part of a response. */
export function unavailable(cause: unknown, options: FaultOptions = {}): Fault {
  return Object.defineProperty(new Fault('JOURNAL_UNAVAILABLE', options), 'cause', {
    value: cause,
  });
}

/** Runs one use of the store. @throws Fault `JOURNAL_UNAVAILABLE` for any error of the driver. */
export async function guarded<T>(work: () => Promise<T>, options?: FaultOptions): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Fault && error.code === 'JOURNAL_UNAVAILABLE') throw error;
    throw unavailable(error, options);
  }
}

/** Runs one read of the store, as `guarded`. */
export const reading = <T>(work: () => Promise<T>): Promise<T> =>
  guarded(work, { message: 'The journal cannot be read.' });

/** Runs one write of the store, as `guarded`. */
export const writing = <T>(work: () => Promise<T>, options?: FaultOptions): Promise<T> =>
  guarded(work, { message: 'The journal cannot be written.', ...options });
