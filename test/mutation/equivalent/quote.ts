import type { EquivalentMutant } from '../equivalent.ts';

/** Of `src/modules/quote`. */
export const mutants: readonly EquivalentMutant[] = [];
