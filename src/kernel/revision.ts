/** Counts the changes of what a process keeps, so that what was made of it can tell whether it still stands. */
export class Revision {
  #count = 0;

  get count(): number {
    return this.#count;
  }

  advance(): void {
    this.#count += 1;
  }
}
