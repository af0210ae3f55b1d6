import { beforeEach, expect, test } from 'vitest';
import {
  account,
  claimNumber,
  idsOf,
  minute,
  moveTo,
  otherAccount,
  unlimited,
} from '../../../../test/persistence/claims.ts';
import { describeStore } from '../../../../test/persistence/drivers.ts';
import { useStore } from '../../../../test/persistence/journal-store.ts';
import type { Journal } from '../../../persistence/journal.ts';
import { createResolutionStore } from '../resolution-store.ts';
import { type ResolvedOutcome, resolutionsTable } from '../resolution-table.ts';

const { id, ...claim } = claimNumber(1);
const resolution = (outcome: ResolvedOutcome, note: string) => ({
  ...{ purchaseId: id, outcome, note, by: 'boss', at: minute(60) },
});

describeStore('the resolutions of purchases', (createStore) => {
  const { connect } = useStore(createStore);
  let journals: readonly Journal[];
  const stored = async (of = account) => {
    const rows = await createResolutionStore(journals[0]?.database as never).ofPurchases(of, [id]);
    return rows.map(({ outcome, note }) => `${outcome} ${note}`).toSorted();
  };
  const write = (outcome: ResolvedOutcome, note: string, at = 0) =>
    createResolutionStore(journals[at]?.database as never).write(
      account,
      resolution(outcome, note),
    );
  const move = (to: 'SUCCEEDED' | 'FAILED', at = 0) =>
    journals[at]?.move(id, ['UNKNOWN'], { to, at: minute(60) });

  beforeEach(async () => {
    journals = [await connect([resolutionsTable]), await connect([resolutionsTable])];
    await journals[0]?.claim({ ...claim, id }, unlimited);
    await moveTo(journals[0] as Journal, id, 'UNKNOWN');
  });

  test('has a row for each outcome and purchase of its account', async () => {
    await write('BOUGHT', 'one');
    await write('NOT_BOUGHT', 'two');

    expect(await stored()).toEqual(['BOUGHT one', 'NOT_BOUGHT two']);
    expect(await stored(otherAccount)).toEqual([]);
  });

  test('replaces a row while the purchase is UNKNOWN, and not after that', async () => {
    await write('NOT_BOUGHT', 'its process was killed');
    await write('NOT_BOUGHT', 'one');
    await move('FAILED');
    await write('NOT_BOUGHT', 'later');
    expect(await stored()).toEqual(['NOT_BOUGHT one']);

    // The registrar completed it after all.
    await journals[0]?.move(id, ['FAILED'], { to: 'UNKNOWN', at: minute(61) });
    await write('NOT_BOUGHT', 'again');
    expect(await stored()).toEqual(['NOT_BOUGHT again']);
  });

  test('of concurrent moves of two processes one is made', async () => {
    const moved = await Promise.all(
      Array.from({ length: 20 }, (_, at) => move(at % 2 ? 'SUCCEEDED' : 'FAILED', at % 2)),
    );

    expect(idsOf(moved.flatMap((one) => one ?? []))).toEqual([id]);
  });
});
