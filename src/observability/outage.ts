/** So many attempts in a row that find the upstream unavailable are an outage: those of one read. */
const attemptsOfOutage = 3;

/** What an attempt changes: an outage begins, goes on, or ends after some time. */
export type OutageChange =
  | { readonly kind: 'began' | 'continues' | 'none' }
  | { readonly kind: 'ended'; readonly durationMs: number; readonly attempts: number };

/** Follows the attempts of one tenant at one API, so that an outage has two log lines. */
export class Outage {
  #failed = 0;
  #firstMs = 0;

  record(isUnavailable: boolean, nowMs: number): OutageChange {
    if (isUnavailable) {
      if (this.#failed === 0) this.#firstMs = nowMs;
      this.#failed += 1;
      if (this.#failed < attemptsOfOutage) return { kind: 'none' };
      return { kind: this.#failed === attemptsOfOutage ? 'began' : 'continues' };
    }
    const attempts = this.#failed;
    this.#failed = 0;
    if (attempts < attemptsOfOutage) return { kind: 'none' };
    return { kind: 'ended', durationMs: nowMs - this.#firstMs, attempts };
  }
}
