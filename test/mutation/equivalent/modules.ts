import type { EquivalentMutant } from '../equivalent.ts';

/** Of `src/modules`. */
export const mutants: readonly EquivalentMutant[] = [];
