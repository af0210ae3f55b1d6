import { describe, type TestContext, test } from 'vitest';
import { order } from '../graph/purchases/shop.ts';
import { isLong } from '../support/long.ts';
import { createDatabase, whyNoPostgres } from '../support/postgres.ts';
import type { Running } from '../support/process.ts';
import { ask, buy, openStreet, type Street } from './street.ts';

/** The context of a concurrent test, for which the global `expect` does not work. */
type Here = Pick<TestContext, 'expect' | 'onTestFinished'>;

const input = order({ domain: 'bought-in-the-dark.com', period: 1, idempotencyKey: 'the-key' });
const read = '{ purchaseByKey(key: "the-key") { state } }';

/** A step of a purchase at which the gateway is killed, and the outcome of the purchase. */
interface Death {
  readonly at: string;
  readonly faults: readonly object[];
  /** Whether the upstream holds a call when the gateway is killed; else the gateway has responded. */
  readonly isHeld: boolean;
  /** Runs before the next gateway starts. */
  readonly beforeRestart?: (street: Street) => Promise<unknown>;
  readonly endsAs: 'SUCCEEDED' | 'FAILED';
  readonly calls: 0 | 1;
}

const release = (street: Street) => street.admin('POST', '/release', {});

const deaths: readonly Death[] = [
  {
    at: 'CLAIMED, nothing sent',
    faults: [{ fault: 'hold-before', action: 'getdetails' }],
    isHeld: true,
    async beforeRestart(street) {
      await release(street);
      // Two minutes in the past.
      await street.statement(
        `update operations set claimed_at = '${new Date(Date.now() - 120_000).toISOString()}'`,
      );
    },
    endsAs: 'FAILED',
    calls: 0,
  },
  {
    at: 'SENDING, before a commit that never comes',
    faults: [{ fault: 'hang', action: 'registerdomain' }],
    isHeld: false,
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
  { at: 'SUCCEEDED', faults: [], isHeld: false, endsAs: 'SUCCEEDED', calls: 1 },
  {
    at: 'FAILED, refused',
    faults: [{ fault: 'code', action: 'registerdomain', code: '2306' }],
    isHeld: false,
    endsAs: 'FAILED',
    calls: 1,
  },
];

/** Waits until the purchase is at the step. */
async function untilThere(
  { expect }: Here,
  street: Street,
  { isHeld }: Death,
  answer: Promise<unknown>,
) {
  if (!isHeld) return Promise.race([answer, untilSent(expect, street)]);
  return expect.poll(async () => (await street.admin('GET', '/held')).held).toBe(1);
}

/** Waits until the upstream has received a call that hangs. */
async function untilSent(expect: Here['expect'], street: Street): Promise<void> {
  const faults = async () => (await street.admin('GET', '/faults')) as { fault: string }[];
  await expect.poll(async () => (await faults()).some(({ fault }) => fault === 'hang')).toBe(false);
  const calls = async () => (await street.admin('GET', '/calls')) as { action: string }[];
  await expect
    .poll(async () => (await calls()).some(({ action }) => action === 'registerdomain'))
    .toBe(true);
}

async function survive(here: Here, death: Death, databaseUrl: string | null): Promise<void> {
  const { expect, onTestFinished } = here;
  const env = { QUIET_WINDOW_SECONDS: '1', UPSTREAM_TIMEOUT_MS: '2000' };
  const street = await openStreet({ databaseUrl, env });
  onTestFinished(() => street.close());
  const first = await street.start();
  for (const fault of death.faults) await street.admin('POST', '/faults', fault);
  const answer = ask(first, buy, { input }).catch(() => 'no answer');
  await untilThere(here, street, death, answer);

  await first.kill();
  await answer;
  await death.beforeRestart?.(street);
  const second = await street.start();

  await expect.poll(() => stateOf(second), { timeout: 60_000, interval: 100 }).toBe(death.endsAs);
  const again = await ask(second, buy, { input });
  expect(again.registerDomain).toMatchObject({
    purchase: { state: death.endsAs },
    replayed: true,
    errors: death.endsAs === 'FAILED' ? [{ executed: 'NO' }] : [],
  });
  const { purchases } = await street.admin('GET', '/state');
  expect(purchases).toHaveLength(death.endsAs === 'SUCCEEDED' ? 1 : 0);
  expect(await street.countCalls('registerdomain')).toBe(death.calls);
}

const stateOf = async (gateway: Running) => (await ask(gateway, read)).purchaseByKey.state;

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
      test('finds the outcome of its purchase after the next start, with a SQLite journal', async ({
        skip,
        expect,
        onTestFinished,
      }) => {
        skip(!isLong && death.isHeld && whyNoPostgres === null, 'in npm run test:long only');
        await survive({ expect, onTestFinished }, death, null);
      });

      test('finds the outcome of its purchase after the next start, with a PostgreSQL journal', async ({
        skip,
        expect,
        onTestFinished,
      }) => {
        skip(whyNoPostgres !== null, whyNoPostgres ?? '');
        skip(!isLong && !death.isHeld, 'in npm run test:long only');
        const database = await createDatabase();
        onTestFinished(() => database.remove());

        await survive({ expect, onTestFinished }, death, database.url);
      });
    },
  );
});
