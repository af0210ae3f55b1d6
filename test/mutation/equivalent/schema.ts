import type { EquivalentMutant } from '../equivalent.ts';

/** Of `src/schema`. */
export const mutants: readonly EquivalentMutant[] = [];
