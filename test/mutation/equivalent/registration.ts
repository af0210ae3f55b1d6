import type { EquivalentMutant } from '../equivalent.ts';

/** Of `src/modules/registration`. */
export const mutants: readonly EquivalentMutant[] = [];
