import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { claimNumber, unlimited } from '../../test/persistence/claims.ts';
import { createFakeReplicas } from '../../test/support/fake-replicas.ts';
import { newFolder } from '../../test/support/folder.ts';
import { createSimulatedClock, endOfTurn } from '../../test/support/simulated-clock.ts';
import { anonymous } from '../kernel/caller.ts';
import { parseDomainName } from '../kernel/domain-name.ts';
import { systemRandomness } from '../lib/system.ts';
import { settlementNotifier } from '../modules/purchase/parts.ts';
import { createLog } from '../observability/log.ts';
import type { PurchaseState } from '../persistence/purchase-record.ts';
import { openSqliteJournal } from '../persistence/sqlite.ts';
import { observe } from './observe.ts';
import { readConfig } from './read-config.ts';
import { openTenants } from './tenants.ts';

const folder = await newFolder('settled');
const { clock } = createSimulatedClock();
const lines: Record<string, unknown>[] = [];
const log = createLog({ level: 'warn', write: (line) => void lines.push(JSON.parse(line)) });
const config = readConfig({ DATA_DIR: folder });
const shared = await openSqliteJournal({ file: join(folder, 'journal.sqlite') });
const { replicas, sent, receive } = createFakeReplicas();
const tenants = await openTenants({
  features: { fills: [], background: [] },
  ...{
    config,
    clock,
    cacheClock: clock,
    wallClock: clock,
    log,
    randomness: systemRandomness,
    journal: { ...shared, replicas },
  },
  jobRunners: {},
  checksLogin: false,
  observation: observe(config, clock, log),
  callers: null,
  embedded: { domainApiUrl: 'http://127.0.0.1:9', accountApiUrl: null },
  reconcileEveryMs: 3_600_000,
  logOperation: () => undefined,
  gateway: { environment: 'SANDBOX', version: 'test' },
});
const tenant = tenants.of(anonymous);
const { journal, account, revision } = tenant.facts;
afterAll(async () => {
  await tenants.close();
  await shared.close();
  await rm(folder, { recursive: true });
});

const at = new Date('2026-01-31T12:00:00Z');
const domain = parseDomainName('example.com');

/** A purchase that was sent, and the stream of its settlement. */
async function send(number: number) {
  const { id } = claimNumber(number, { account });
  await shared.claim(claimNumber(number, { account }), unlimited);
  await shared.move(id, ['CLAIMED'], { to: 'SENDING', at });
  const stream = tenant.use(settlementNotifier).settled(id, () => true);
  const settled = stream.next();
  await endOfTurn();
  return { id, settled };
}

test('a purchase that settles ends its stream at once, and is published to the other replicas', async () => {
  const { id, settled } = await send(1);
  await journal.move(id, ['SENDING'], { to: 'PENDING', at });
  expect(sent).toEqual([]);

  await journal.move(id, ['PENDING'], { to: 'SUCCEEDED', at });

  expect((await settled).value).toMatchObject({ id, state: 'SUCCEEDED' });
  expect(sent).toEqual([{ account, notice: { kind: 'settled', id, domain: 'name-1.com' } }]);
  expect(lines).toEqual([]);
});

test('a purchase that another replica settled ends its stream at once, and responses are no longer repeated', async () => {
  const { id, settled } = await send(2);
  await shared.move(id, ['SENDING'], { to: 'SUCCEEDED', at });
  const before = revision.current;

  receive(account, { kind: 'settled', id, domain });

  expect((await settled).value).toMatchObject({ id, state: 'SUCCEEDED' });
  expect(revision.current).toBeGreaterThan(before);
});

test('a purchase that was recorded as FAILED and was made is logged as an error', async () => {
  const { id } = await send(3);
  await journal.move(id, ['SENDING'], { to: 'FAILED' satisfies PurchaseState, at });
  expect(lines).toEqual([]);

  await journal.move(id, ['FAILED'], { to: 'UNKNOWN', at });

  expect(lines).toMatchObject([
    { level: 'error', msg: 'a purchase recorded as FAILED was made', subject: id },
  ]);
});
