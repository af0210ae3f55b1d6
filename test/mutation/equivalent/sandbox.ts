import type { EquivalentMutant } from '../equivalent.ts';

/** Of `src/sandbox`. */
export const mutants: readonly EquivalentMutant[] = [];
