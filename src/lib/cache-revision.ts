/** Counts the changes of cached data. A value that was built from it is valid while `current` is the same. */
export class CacheRevision {
  #current = 0;

  get current(): number {
    return this.#current;
  }

  increment(): void {
    this.#current += 1;
  }
}
