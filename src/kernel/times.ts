// Times that several parts of the gateway use for the same reason.

import { dayMs } from './instant.ts';

/** Two reads confirm each other when they are this far apart. The upstream must show a write that it carried out within this time. */
export const readsApartMs = 5_000;

/** A purchase, or a change of a domain, ends when reads or attempts have not succeeded for so long. */
export const givenUpAfterMs = 15 * 60_000;

/** A row without the job that it is written before is younger, also when a gateway whose clock is hours late wrote it. */
export const orphanAfterMs = dayMs;
