import { expect, test } from 'vitest';
import {
  a,
  b,
  locked,
  locking,
  unlocked,
  unlocking,
} from '../../../test/support/modules/event-rows.ts';
import { intervalMs, startWatched } from './test/account.ts';

test('a domain that the list leaves out again is not compared with the row of the time before', async () => {
  const { time, rows, replica, facts } = await startWatched([a, b]);
  const row = rows.get(b);
  rows.delete(b);
  await time.pass(intervalMs);
  if (row) await replica.ledger.save(b, { ...row, ...unlocked }, time.clock.now());
  await time.pass(intervalMs);
  if (row) rows.set(b, { ...row, ...locked });
  await time.pass(intervalMs);
  expect(await facts()).toEqual([unlocking(b), locking(b)]);
  rows.delete(b);
  await time.pass(3 * intervalMs);
  expect(await facts()).toEqual([unlocking(b), locking(b)]);
});
