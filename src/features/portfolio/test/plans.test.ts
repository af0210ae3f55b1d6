import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { account, minute } from '../../../../test/persistence/claims.ts';
import { sqlitePlansOf } from '../../../../test/persistence/plans.ts';
import { newFolder } from '../../../../test/support/folder.ts';
import { createLedgerStore } from '../ledger-store.ts';
import { knownDomainsTable } from '../table.ts';

test('due, unread and taken domains are selected with an index, so that other domains cost nothing', async () => {
  const due = {
    ...{ now: minute(1), retryAt: minute(2), latest: minute(3), limit: 4 },
    counted: { after: minute(0), until: minute(3) },
    which: 'ALL',
  } as const;
  const unread = { ...due, which: 'UNREAD' } as const;
  const neverRead = { ...due, which: 'NEVER_READ' } as const;
  const folder = await newFolder('ledger-plans');
  onTestFinished(() => rm(folder, { recursive: true }));
  const plans = await sqlitePlansOf(
    join(folder, 'journal.db'),
    async ({ database }) => {
      const ledger = createLedgerStore(database);
      await ledger.hasDue(account, due);
      await ledger.takeDue(account, due);
      await ledger.hasDue(account, unread);
      await ledger.takeDue(account, unread);
      await ledger.hasDue(account, neverRead);
      await ledger.takeDue(account, neverRead);
      await ledger.makeUnreadDue(account, minute(1));
      await ledger.countTaken(account, due.counted);
    },
    [knownDomainsTable],
  );

  expect(plans).toEqual([
    expect.stringMatching(/(known_domains_unlisted \(account=\? AND due_at.*){2}/),
    expect.stringContaining('INDEX known_domains_unlisted (account=?'),
    expect.stringMatching(/(known_domains_unread \(account=\? AND due_at.*){2}/),
    expect.stringContaining('INDEX known_domains_unread (account=?'),
    expect.stringMatching(/(known_domains_unread \(account=\? AND due_at.*){2}/),
    expect.stringContaining('INDEX known_domains_unread (account=?'),
    expect.stringContaining('INDEX known_domains_unread (account=? AND due_at>?'),
    expect.stringContaining('INDEX known_domains_taken (account=? AND taken_at>?'),
  ]);
});
