import type { EquivalentMutant } from '../equivalent.ts';

/** Of `src/persistence`. */
export const mutants: readonly EquivalentMutant[] = [];
