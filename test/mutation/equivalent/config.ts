import type { EquivalentMutant } from '../equivalent.ts';

/** Of `src/config`. */
export const mutants: readonly EquivalentMutant[] = [];
