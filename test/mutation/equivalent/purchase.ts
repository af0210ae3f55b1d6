import type { EquivalentMutant } from '../equivalent.ts';

/** Of `src/modules/purchase`. */
export const mutants: readonly EquivalentMutant[] = [];
