import { Fault } from '../../kernel/faults.ts';
import type { EventStore } from './store.ts';

/** @throws Fault `INVALID_INPUT` when events after this position were deleted; null is no position. */
export async function assertNotDeleted(
  store: Pick<EventStore, 'deletedUntil'>,
  account: string,
  after: number | null,
): Promise<void> {
  if (after === null || after >= (await store.deletedUntil(account))) return;
  throw eventsDeleted;
}

export const eventsDeleted = new Fault('INVALID_INPUT', {
  message:
    'Events after this cursor were deleted, so that some are missing. Read the domains again, then continue with the cursor of `events(last: 1)`.',
  path: ['after'],
});
