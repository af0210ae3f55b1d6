import { afterEach, expect, test } from 'vitest';
import { jobNumber, newItems } from '../../../test/persistence/new-jobs.ts';
import { account, createTenant, ok } from '../../../test/support/modules/purchase-tenant.ts';
import {
  createSimulatedClock,
  endOfTurn,
  secondMs,
} from '../../../test/support/simulated-clock.ts';
import { bulkChanges, changeRunner } from '../../features/bulk-change/parts.ts';
import { lineRunner, orders } from '../../features/order/parts.ts';
import { createLog } from '../../observability/log.ts';
import { itemRunners, jobEngine, jobProgress } from './parts.ts';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((engine) => engine.close()));
});

/** A tenant whose engine works on jobs, with the lines of its log and the jobs whose progress it read. */
async function start() {
  const tenant = await createTenant();
  tenant.elsewhere.add('maple.com');
  const time = createSimulatedClock();
  const [lines, checked]: [Record<string, unknown>[], string[]] = [[], []];
  const gateway = tenant.start({
    tenant: 'one',
    clock: time.clock,
    log: createLog({ level: 'warn', write: (line) => void lines.push(JSON.parse(line)) }),
  });
  const progress = gateway.use(jobProgress);
  const check = async (jobId: string) => void checked.push(jobId);
  gateway
    .provide(jobProgress, { ...progress, check })
    .provide(itemRunners, { ORDER: gateway.use(lineRunner), CHANGE: gateway.use(changeRunner) });
  const engine = gateway.use(jobEngine);
  opened.push(engine);
  const { jobs } = tenant.journal;
  const finish = async (jobId: string) => {
    engine.wake();
    const isDone = async () => (await jobs.items([jobId])).every(({ state }) => state === 'DONE');
    for (let turns = 0; turns < 200 && !(await isDone()); turns += 1) await endOfTurn();
    const items = await jobs.items([jobId]);
    return items.map(({ state, result }) => `${state} ${result?.outcome}`);
  };
  return { tenant, jobs, engine, lines, checked, time, finish };
}

test('the lines of an order are bought, and its progress is reported', async () => {
  const { tenant, finish, checked, lines } = await start();
  const { order, errors } = await tenant
    .request()
    .use(orders)
    .place({
      lines: [{ transfer: { domain: 'maple.com', period: 1, authCode: 'Auth-1' } }],
      ...{ idempotencyKey: 'order-1', onFailure: 'CONTINUE' },
    });
  expect(errors).toEqual([]);
  const id = order?.job.id ?? '';

  expect(await finish(id)).toEqual(['DONE SENT']);

  expect(tenant.sent('transferdomain')).toMatchObject([{ domain: 'maple.com' }]);
  expect(checked).toEqual([id]);
  expect(lines).toEqual([]);
});

test('a line whose order is old is checked again with reads of its own', async () => {
  const { tenant, finish, time } = await start();
  const { order } = await tenant
    .request()
    .use(orders)
    .place({
      lines: [{ transfer: { domain: 'maple.com', period: 1, authCode: 'Auth-1' } }],
      ...{ idempotencyKey: 'order-1', onFailure: 'CONTINUE' },
    });
  time.setWall(10 * 60 * secondMs);
  const reads = tenant.calls.length;

  expect(await finish(order?.job.id ?? '')).toEqual(['DONE SENT']);

  expect(tenant.calls.slice(reads).map(({ action }) => action)).toContain('tldlist');
});

test('the domains of a change are changed, and its progress is reported', async () => {
  const { tenant, finish, checked } = await start();
  tenant.domains.set('maple.com', 'Active');
  tenant.upstream.modifyprivacystatus = () => ok({ data: { PrivacyProtectionStatus: true } });
  const { bulkChange: job, errors } = await tenant
    .request()
    .use(bulkChanges)
    .create({
      ...{ names: ['maple.com'], expectedCount: 1, idempotencyKey: 'change-1' },
      change: { privacyProtected: true },
    });
  expect(errors).toEqual([]);
  const id = job?.job.id ?? '';

  expect(await finish(id)).toEqual([expect.stringContaining('DONE')]);

  expect(tenant.sent('modifyprivacystatus')).toHaveLength(1);
  expect(checked).toEqual([id]);
});

test('a bug in the work on an item is logged with its tenant and job', async () => {
  const { jobs, engine, lines, checked } = await start();
  const { job } = await jobs.create(
    jobNumber(1, { account, createdAt: new Date('2026-01-31T11:00:00Z') }),
    newItems(1),
  );

  engine.wake();
  for (let turns = 0; turns < 200 && lines.length === 0; turns += 1) await endOfTurn();

  expect(lines).toMatchObject([
    {
      ...{ level: 'error', msg: 'an item of a job failed', tenant: 'one', subject: job.id },
      error: { message: expect.any(String) },
    },
  ]);
  expect(checked).toEqual([]);
});
