import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { account } from '../../../../test/persistence/claims.ts';
import { sqlitePlansOf } from '../../../../test/persistence/plans.ts';
import { newFolder } from '../../../../test/support/folder.ts';
import { parseDomainName } from '../../../kernel/domain-name.ts';
import { createEventStore } from '../store.ts';
import { eventTables } from '../table.ts';

test('the events of a domain are read in their order with an index', async () => {
  const folder = await newFolder('event-plans');
  onTestFinished(() => rm(folder, { recursive: true }));
  const [filter, limit] = [{ domain: parseDomainName('a.com') }, 1];
  const plans = await sqlitePlansOf(
    join(folder, 'journal.db'),
    async ({ database }) => {
      const events = createEventStore(database);
      await events.list(account, { filter, limit });
      await events.list(account, { filter, limit, after: 7, fromEnd: true });
      await events.count(account, filter);
    },
    eventTables,
  );

  expect(plans).toHaveLength(3);
  for (const plan of plans) {
    expect(plan).toMatch(/INDEX events_by_domain \(account=\? AND domain=\?/);
    expect(plan).not.toContain('TEMP B-TREE');
  }
});
