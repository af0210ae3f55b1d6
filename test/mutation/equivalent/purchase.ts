import type { EquivalentMutant } from '../equivalent.ts';

/** Of `src/modules/purchase`. */
export const mutants: readonly EquivalentMutant[] = [
  {
    file: 'src/modules/purchase/ownership.ts',
    mutator: 'OptionalChaining',
    line: "return details?.state === 'PENDING_TRANSFER_IN' ? 'TRANSFER_PENDING' : 'ALREADY_OWNED';",
    original: 'details?.state',
    replacement: 'details.state',
    reason: 'A missing record is not owned, and has returned null before.',
  },
];
