import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { account, minute } from '../../../../test/persistence/claims.ts';
import { sqlitePlansOf } from '../../../../test/persistence/plans.ts';
import { newFolder } from '../../../../test/support/folder.ts';
import { createApprovalStore } from '../store.ts';
import { approvalsTable } from '../table.ts';

test('expired and unreported approvals are selected with an index, so that ended ones cost nothing', async () => {
  const folder = await newFolder('approval-plans');
  onTestFinished(() => rm(folder, { recursive: true }));
  const plans = await sqlitePlansOf(
    join(folder, 'journal.db'),
    async ({ database }) => {
      const approvals = createApprovalStore(database);
      await approvals.hasDue(account, minute(1));
      await approvals.expire(account, minute(1));
      await approvals.unreported(account, 9);
    },
    [approvalsTable],
  );

  expect(plans).toEqual([
    expect.stringMatching(
      /approvals_open \(account=\? AND expires_at<.*approvals_unreported \(account=\?/,
    ),
    expect.stringContaining('approvals_open (account=? AND expires_at<?'),
    expect.stringContaining('approvals_unreported (account=?'),
  ]);
});
