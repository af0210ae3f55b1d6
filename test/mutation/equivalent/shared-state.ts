import type { EquivalentMutant } from '../equivalent.ts';

/** Of `src/shared-state`. */
export const mutants: readonly EquivalentMutant[] = [];
