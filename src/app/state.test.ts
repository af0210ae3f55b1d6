import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { jobNumber, newItems, resultOf } from '../../test/persistence/new-jobs.ts';
import { newFolder } from '../../test/support/folder.ts';
import { StartError } from '../lib/errors.ts';
import { openSqliteJournal } from '../persistence/sqlite.ts';
import type { JobRunners } from '../seam/feature.ts';
import { checkOpenItems, runnersOf } from './state.ts';

const folder = await newFolder('job-runners');
const journal = await openSqliteJournal({ file: join(folder, 'journal.db') });
afterAll(async () => {
  await journal.close();
  await rm(folder, { recursive: true });
});

test('a start is refused while items have not ended that no code works on', async () => {
  const runners = await runnersOf([]);
  await journal.jobs.create(jobNumber(1, { kind: 'PURCHASE' }), newItems(2));
  await journal.jobs.create(
    jobNumber(2, { kind: 'PAYOUT' }),
    newItems(1, () => ({ result: resultOf('SUCCEEDED') })),
  );
  await expect(checkOpenItems(journal, runners, [])).resolves.toBeUndefined();

  await journal.jobs.create(jobNumber(3, { kind: 'PAYOUT' }), newItems(1));
  await journal.jobs.create(jobNumber(4, { kind: 'SURVEY' }), newItems(3));

  await expect(checkOpenItems(journal, runners, [])).rejects.toThrow(
    new StartError(
      'The journal has 1 item of the kind PAYOUT and 3 items of the kind SURVEY in jobs of features that FEATURES leaves out, so they would never end: start with these features until the jobs have ended or are cancelled.',
    ),
  );
});

test('a start is refused while items have not ended that a feature holds which is left out', async () => {
  const done = (position: number) => (position === 0 ? { result: resultOf('FAILED') } : {});
  const [runner] = Object.values(await runnersOf([]));
  const { kind } = jobNumber(5);
  const runners = Object.fromEntries(
    ['PURCHASE', 'PAYOUT', 'SURVEY', kind].map((one) => [one, runner as JobRunners[string]]),
  );
  await journal.jobs.create(jobNumber(5), newItems(3, done), 'approval');
  await journal.jobs.create(jobNumber(6), newItems(1), 'payment');
  await expect(
    checkOpenItems(journal, runners, [{ name: 'approval' }, { name: 'payment' }]),
  ).resolves.toBeUndefined();

  await expect(checkOpenItems(journal, runners, [])).rejects.toThrow(
    new StartError(
      'The journal has 2 items of approval and 1 item of payment that wait for a decision, and FEATURES leaves these features out, so they would never be sent: start with these features until the jobs have ended or are cancelled.',
    ),
  );
});
