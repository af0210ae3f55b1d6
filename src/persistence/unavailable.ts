import { Fault, type FaultOptions } from '../kernel/faults.ts';

/** Why the store cannot be used, in a sentence for operators without secrets: for the log and the health reply. */
export class JournalFailure extends Error {
  override readonly name = 'JournalFailure';
}

/** The sentence behind a fault of the journal; null when the driver's error is all that is known. */
export const failureOf = (error: unknown): string | null =>
  error instanceof Error && error.cause instanceof JournalFailure ? error.cause.message : null;

/** `JOURNAL_UNAVAILABLE` with the driver's error as its `cause`: for our log, never part of an answer. */
export function unavailable(cause: unknown, options: FaultOptions = {}): Fault {
  const fault = new Fault('JOURNAL_UNAVAILABLE', options);
  Object.defineProperty(fault, 'cause', { value: cause, configurable: true, writable: true });
  return fault;
}

/** Runs one use of the store. @throws Fault `JOURNAL_UNAVAILABLE` for whatever the driver throws. */
export async function guarded<T>(work: () => Promise<T>, options?: FaultOptions): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Fault && error.code === 'JOURNAL_UNAVAILABLE') throw error;
    throw unavailable(error, options);
  }
}
