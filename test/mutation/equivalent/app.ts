import type { EquivalentMutant } from '../equivalent.ts';

/** Of `src/app`. */
export const mutants: readonly EquivalentMutant[] = [];
