import { describe, type TestContext, test } from 'vitest';
import { order } from '../graph/purchases/shop.ts';
import { isLong } from '../support/long.ts';
import { createDatabase, whyNoPostgres } from '../support/postgres.ts';
import type { Running } from '../support/process.ts';
import { buy, type Deployment, openDeployment, sendQuery } from './deployment.ts';

/** The context of a concurrent test, for which the global `expect` does not work. */
type Here = Pick<TestContext, 'expect' | 'onTestFinished'>;

const input = order({ domain: 'bought-in-the-dark.com', period: 1, idempotencyKey: 'the-key' });
const audit =
  '{ auditLog(filter: { operation: "registerDomain", domain: "bought-in-the-dark.com" }) { nodes { outcome } } }';
const read = '{ purchase(by: { key: "the-key" }) { state } }';

/** A step of a purchase at which the gateway is killed, and the outcome of the purchase. */
interface Death {
  readonly at: string;
  readonly faults: readonly object[];
  /** Whether the upstream holds a call when the gateway is killed; else the gateway has responded, unless a call hangs. */
  readonly isHeld: boolean;
  /** Runs before the next gateway starts. */
  readonly beforeRestart?: (deployment: Deployment) => Promise<unknown>;
  readonly endsAs: 'SUCCEEDED' | 'FAILED';
  /** Only `npm run test:long` kills here: the simulation and quicker tests of processes have the same step. */
  readonly inLongForm?: true;
  readonly calls: 0 | 1;
}

const release = (deployment: Deployment) => deployment.admin('POST', '/release', {});

const deaths: readonly Death[] = [
  {
    at: 'CLAIMED, nothing sent',
    faults: [{ fault: 'hold-before', action: 'getdetails' }],
    isHeld: true,
    async beforeRestart(deployment) {
      await release(deployment);
      // Two minutes in the past.
      await deployment.statement(
        `update purchases set claimed_at = '${new Date(Date.now() - 120_000).toISOString()}'`,
      );
    },
    inLongForm: true,
    endsAs: 'FAILED',
    calls: 0,
  },
  {
    at: 'SENDING, before a commit that never comes',
    faults: [{ fault: 'hang', action: 'registerdomain' }],
    isHeld: false,
    inLongForm: true,
    endsAs: 'FAILED',
    calls: 1,
  },
  {
    at: 'SENDING, before a commit that comes later',
    faults: [{ fault: 'hold-before', action: 'registerdomain' }],
    isHeld: true,
    beforeRestart: release,
    endsAs: 'SUCCEEDED',
    calls: 1,
  },
  {
    at: 'SENDING, after the commit',
    faults: [{ fault: 'hold-after', action: 'registerdomain' }],
    isHeld: true,
    beforeRestart: release,
    inLongForm: true,
    endsAs: 'SUCCEEDED',
    calls: 1,
  },
  {
    at: 'PENDING, with a lost reply',
    faults: [
      { fault: 'lost-answer', action: 'registerdomain' },
      { fault: 'gateway', action: 'getdetails', after: 1, times: 3 },
    ],
    isHeld: false,
    endsAs: 'SUCCEEDED',
    calls: 1,
  },
  {
    at: 'SUCCEEDED',
    faults: [],
    isHeld: false,
    inLongForm: true,
    endsAs: 'SUCCEEDED',
    calls: 1,
  },
  {
    at: 'FAILED, refused',
    faults: [{ fault: 'code', action: 'registerdomain', code: '2306' }],
    isHeld: false,
    inLongForm: true,
    endsAs: 'FAILED',
    calls: 1,
  },
];

/** Waits until the purchase is at the step. */
async function untilThere(
  { expect }: Here,
  deployment: Deployment,
  death: Death,
  response: Promise<unknown>,
) {
  if (waits(death)) return Promise.race([response, untilSent(expect, deployment)]);
  if (!death.isHeld) return response;
  return expect.poll(async () => (await deployment.admin('GET', '/held')).held).toBe(1);
}

/** Waits until the upstream has received a call that hangs. */
async function untilSent(expect: Here['expect'], deployment: Deployment): Promise<void> {
  const faults = async () => (await deployment.admin('GET', '/faults')) as { fault: string }[];
  await expect.poll(async () => (await faults()).some(({ fault }) => fault === 'hang')).toBe(false);
  const calls = async () => (await deployment.admin('GET', '/calls')) as { action: string }[];
  await expect
    .poll(async () => (await calls()).some(({ action }) => action === 'registerdomain'))
    .toBe(true);
}

async function survive(here: Here, death: Death, databaseUrl: string | null): Promise<void> {
  const { expect, onTestFinished } = here;
  const deployment = await openDeployment({
    databaseUrl,
    // Only a call that hangs ends with its deadline and the quiet window. A short deadline refuses a purchase on a busy machine.
    ...(waits(death) && {
      env: { UPSTREAM_TIMEOUT_MS: '2000' },
      overrides: { quietWindowMs: 1_000 },
    }),
  });
  onTestFinished(() => deployment.close());
  const first = await deployment.start();
  for (const fault of death.faults) await deployment.admin('POST', '/faults', fault);
  const response = sendQuery(first, buy, { input }).catch(() => 'no response');
  await untilThere(here, deployment, death, response);

  await first.kill();
  await response;
  await death.beforeRestart?.(deployment);
  const second = await deployment.start();

  await expect.poll(() => stateOf(second), { timeout: 60_000, interval: 100 }).toBe(death.endsAs);
  const again = await sendQuery(second, buy, { input });
  expect(again.registerDomain).toMatchObject({
    purchase: { state: death.endsAs },
    replayed: true,
    errors: death.endsAs === 'FAILED' ? [{ executed: 'NO' }] : [],
  });
  const { purchases } = await deployment.admin('GET', '/state');
  expect(purchases).toHaveLength(death.endsAs === 'SUCCEEDED' ? 1 : 0);
  expect(await deployment.countCalls('registerdomain')).toBe(death.calls);
  // The killed gateway had stored the entry of its call; the replay has one too.
  const { auditLog } = await sendQuery(second, audit);
  expect(auditLog.nodes).toHaveLength(2);
  if (death.isHeld || waits(death)) expect(auditLog.nodes[1].outcome).toBeNull();
}

const stateOf = async (gateway: Running) => (await sendQuery(gateway, read)).purchase.state;

/** Whether the call of the step hangs, so that its test takes much longer than the others. */
const waits = ({ faults }: Death) =>
  faults.some((fault) => 'fault' in fault && fault.fault === 'hang');
const groups = [
  ['before a call that hangs ends', deaths.filter(waits)],
  ['at any other step', deaths.filter((death) => !waits(death))],
] as const;

// The long test runs beside the others, which run in sequence.
describe.concurrent.each(groups)('%s', (_name, some) => {
  describe.each(some)(
    'a gateway that is killed at $at',
    { concurrent: false, timeout: 300_000 },
    (death) => {
      // The short form of a step uses one of the two databases.
      test('finds the outcome of its purchase after the next start, with a SQLite journal', {
        tags: ['R8', 'I1', 'A3'],
      }, async ({ skip, expect, onTestFinished }) => {
        skip(!isLong && death.isHeld && whyNoPostgres === null, 'only in npm run test:long');
        skip(!isLong && death.inLongForm === true, 'only in npm run test:long');
        await survive({ expect, onTestFinished }, death, null);
      });

      test('finds the outcome of its purchase after the next start, with a PostgreSQL journal', {
        tags: ['R8', 'I1', 'A3'],
      }, async ({ skip, expect, onTestFinished }) => {
        skip(whyNoPostgres !== null, whyNoPostgres ?? '');
        skip(!isLong && (death.inLongForm === true || !death.isHeld), 'only in npm run test:long');
        const database = await createDatabase();
        onTestFinished(() => database.remove());

        await survive({ expect, onTestFinished }, death, database.url);
      });
    },
  );
});
