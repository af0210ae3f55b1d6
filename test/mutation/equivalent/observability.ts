import type { EquivalentMutant } from '../equivalent.ts';

/** Of `src/observability`. */
export const mutants: readonly EquivalentMutant[] = [];
