import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { jobNumber, newItems } from '../../../../test/persistence/new-jobs.ts';
import { newFolder } from '../../../../test/support/folder.ts';
import { startTestGateway } from '../../../../test/support/gateway.ts';
import { openSqliteJournal } from '../../../persistence/sqlite.ts';
import { features } from '../../index.ts';

const folder = await newFolder('features');
afterAll(() => rm(folder, { recursive: true }));

const withoutOrders = features
  .filter(({ name, uses }) => name === 'order' || uses.includes('order'))
  .map(({ name }) => `-${name}`)
  .join();
const start = (FEATURES: string) => startTestGateway({ env: { DATA_DIR: folder, FEATURES } });

test('a gateway does not start without orders while lines of one wait, which stay as they are', async () => {
  const journal = await openSqliteJournal({ file: join(folder, 'sandbox-journal.sqlite') });
  const job = jobNumber(1, { account: 'sandbox:demo', kind: 'ORDER' });
  await journal.jobs.create(job, newItems(3));
  const stored = await journal.jobs.items([job.id]);

  await expect(start(withoutOrders)).rejects.toThrow(
    /^The journal has 3 items of the kind ORDER in jobs of features that FEATURES leaves out/,
  );
  expect(await journal.jobs.items([job.id])).toEqual(stored);

  const cancelled = { outcome: 'CANCELLED', details: '{}' };
  await journal.jobs.endWaiting(job.account, job.id, new Date(), cancelled);
  await journal.close();
  const gateway = await start(withoutOrders);
  const refused = await gateway.query('{ orders { nodes { id } } }');
  const { data } = await gateway.query('{ approvals { totalCount } purchases { totalCount } }');
  await gateway.close();

  expect(refused.errors).toMatchObject([{ extensions: { code: 'INVALID_REQUEST' } }]);
  expect(data).toMatchObject({ approvals: { totalCount: 0 }, purchases: { totalCount: 0 } });
});
