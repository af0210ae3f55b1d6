/** A mutant that no test has to find. */
export interface EquivalentMutant {
  readonly file: string;
  /** Name of Stryker's mutator. */
  readonly mutator: string;
  /** The first source line of the mutant, without its indentation. */
  readonly line: string;
  /** The first line of the mutated code, and of its replacement. */
  readonly original: string;
  readonly replacement: string;
  /** Why the mutant behaves the same, or why a test of the difference is not worth its time. */
  readonly reason: string;
}

export const equivalentMutants: readonly EquivalentMutant[] = [];
