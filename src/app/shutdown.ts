/** The parts of a gateway in the order in which they are closed. Each part is closed before the parts that it uses. */
const order = [
  // The listener waits until every response has ended; an event stream does not end on its own.
  'event streams',
  // Open requests finish here, while everything that they use is still open.
  'listener',
  'graph',
  'callers',
  // Upstream calls in flight finish, and write their outcome to the journal.
  'tenants',
  'shared state',
  'journal',
  'embedded sandbox',
  'metrics listener',
] as const;

export type Part = (typeof order)[number];

/** Closes the parts that were started so far, each once. */
export class Shutdown {
  readonly #closers = new Map<Part, () => unknown>();

  /** Call this as soon as a part is open. */
  add(part: Part, close: () => unknown): void {
    this.#closers.set(part, close);
  }

  /** Closes all parts, also when one of them fails. @throws AggregateError with what failed. */
  async run(): Promise<void> {
    const errors: unknown[] = [];
    for (const part of order) {
      try {
        await this.#closers.get(part)?.();
      } catch (error) {
        errors.push(error);
      }
    }
    this.#closers.clear();
    if (errors.length > 0) throw new AggregateError(errors, 'Closing the gateway failed.');
  }
}
