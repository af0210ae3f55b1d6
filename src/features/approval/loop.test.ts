import { afterEach, beforeEach, expect, test } from 'vitest';
import { account } from '../../../test/persistence/claims.ts';
import { jobNumber, newItems } from '../../../test/persistence/new-jobs.ts';
import { createSharedStore } from '../../../test/simulation/store.ts';
import {
  createSimulatedClock,
  endOfTurn,
  hourMs,
  minuteMs,
  secondMs,
} from '../../../test/support/simulated-clock.ts';
import { createJournal, type Journal } from '../../persistence/journal.ts';
import { startApprovalLoop } from './loop.ts';
import { type ApprovalStore, createApprovalStore } from './store.ts';

const store = await createSharedStore();

let time: ReturnType<typeof createSimulatedClock>;
let journal: Journal;
let approvals: ApprovalStore;
let statements: number;
let started: number;
let isAway: boolean;
const loops: { close(): Promise<void> }[] = [];

beforeEach(() => {
  store.clear();
  time = createSimulatedClock();
  [statements, started, isAway] = [0, 0, false];
  journal = createJournal(
    store.open(async (side) => {
      if (side === 'before') statements += 1;
      if (isAway) throw new Error('The journal is away.');
    }),
  );
  approvals = createApprovalStore(journal.database);
});
afterEach(async () => {
  await Promise.all(loops.splice(0).map((loop) => loop.close()));
});

const idle = async () => {
  for (let turn = 0; turn < 30; turn += 1) await endOfTurn();
};

async function start(options: { hasRules?: boolean } = {}) {
  loops.push(
    startApprovalLoop({
      ...{ approvals, account, clock: time.clock, hasRules: true },
      startJobs() {
        started += 1;
      },
      onError: (error) => {
        throw error;
      },
      ...options,
    }),
  );
  await idle();
}

async function request(): Promise<string> {
  const job = jobNumber(1, { createdAt: time.clock.now() });
  await approvals.request(account, {
    ...{ id: job.id, operation: 'REGISTRATION', jobKind: 'ORDER', domain: null, customer: 'acme' },
    ...{ caller: 'shop', fingerprint: '', count: 1, cost: null, price: null },
    rule: { position: 1, operations: ['REGISTRATION'], when: {}, expiresAfterMs: minuteMs },
    ...{ requestedAt: job.createdAt, expiresAt: new Date(job.createdAt.getTime() + minuteMs) },
  });
  await journal.jobs.create(job, newItems(1), 'approval');
  return job.id;
}
const stateOf = async (id: string) => (await approvals.byIds(account, [id]))[0]?.state;

test('without rules and approvals one statement is made at the start, and no later one', async () => {
  await start({ hasRules: false });
  await time.pass(hourMs, idle);
  expect(statements).toBe(1);
});

test('with rules and nothing due one statement is made per second', async () => {
  await request();
  await start();
  await time.pass(5 * secondMs, idle);
  const before = statements;
  await time.pass(10 * secondMs, idle);
  expect(statements - before).toBe(10);
});

test('without rules the approvals of before expire, and then no statement is made', async () => {
  const id = await request();
  await start({ hasRules: false });
  await time.pass(minuteMs + secondMs, idle);
  expect([await stateOf(id), started]).toEqual(['EXPIRED', 1]);
  const before = statements;
  await time.pass(hourMs, idle);
  expect(statements).toBe(before);
});

test('an approval that expires starts its job once, also on several replicas', async () => {
  const id = await request();
  await start();
  await start();
  await time.pass(minuteMs - 1, idle);
  expect([await stateOf(id), started]).toEqual(['REQUESTED', 0]);
  await time.pass(secondMs, idle);
  expect([await stateOf(id), started]).toEqual(['EXPIRED', 1]);
});

test('the loop continues when the journal is available again', async () => {
  const id = await request();
  isAway = true;
  await start();
  await time.pass(2 * minuteMs, idle);
  isAway = false;
  await time.pass(secondMs, idle);
  expect(await stateOf(id)).toBe('EXPIRED');
  expect(started).toBe(1);
});
