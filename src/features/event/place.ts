import type { EventRecord } from './log.ts';

/**
 * The text in the cursor of an event, for a reader that is bound to a customer or to none. Positions count the events of the
 * whole account, so a bound reader gets ids.
 */
export const placeOf = ({ id, position }: EventRecord, customer: string | null): string =>
  customer === null ? String(position) : id;
