import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { features } from '../../src/features/index.ts';
import { openTestJournal } from '../support/empty-journal.ts';
import { newFolder } from '../support/folder.ts';
import { approvalUses, eventUses, ledgerUses } from './feature-uses.ts';
import { jobUses } from './core-uses.ts';
import { fillingStatements, sharedTime } from './large-tables.ts';

test('work in parts ends when no row is left, and leaves the other rows', async () => {
  const folder = await newFolder('parts');
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'journal.db');
  const journal = await openTestJournal(
    file,
    features.flatMap(({ tables = [] }) => tables),
  );
  using database = new DatabaseSync(file);
  // At least two parts of each work.
  const read = /into (?:purchases|events|jobs|job_items|approvals|known_domains) /;
  for (const sql of fillingStatements(26_000)) if (read.test(sql)) database.exec(sql);

  const count = (rows: string) => database.prepare(`select count(*) as n from ${rows}`).get()?.n;
  const withoutJob = (table: string, id: string) =>
    `${table} where not exists (select 1 from jobs where jobs.id = ${table}.${id})`;
  const left = () => ({
    items: count(withoutJob('job_items', 'job_id')),
    approvals: count(
      `${withoutJob('approvals', 'id')} and state = 'REQUESTED' and job_kind = 'ORDER'`,
    ),
    events: count(`events where at < '${sharedTime}'`),
    notDue: count(`known_domains where listed = 0 and due_at > '2041'`),
    unknown: count(
      `purchases where state = 'SUCCEEDED' and domain not in (select domain from known_domains)`,
    ),
  });
  const others = () => [
    count('job_items where exists (select 1 from jobs where jobs.id = job_items.job_id)'),
    count(`approvals where job_kind is null or state <> 'REQUESTED'`),
  ];
  const before = [left(), others()] as const;
  for (const amount of Object.values(before[0])) expect(amount).toBeGreaterThan(0);

  const { database: db } = journal;
  await jobUses(db).writes.deleteOrphans?.();
  await approvalUses(db).writes.deleteOrphans?.();
  await eventUses(db).writes.deleteBefore?.();
  await ledgerUses(db).writes.makeUnreadDue?.();
  await ledgerUses(db).writes.addPurchased?.();
  await journal.close();

  expect(Object.values(left())).toEqual([0, 0, 0, 0, 0]);
  expect(others()).toEqual(before[1]);
  // Only the last one follows the last old one.
  expect(count('events')).toBe(1);
});
