import type { EquivalentMutant } from '../equivalent.ts';

/** Of `src/upstream`. */
export const mutants: readonly EquivalentMutant[] = [];
