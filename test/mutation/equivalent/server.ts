import type { EquivalentMutant } from '../equivalent.ts';

/** Of `src/server`. */
export const mutants: readonly EquivalentMutant[] = [];
