import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { order } from '../graph/purchases/shop.ts';
import { whyNotShort } from '../support/long.ts';
import { createDatabase, whyNoPostgres } from '../support/postgres.ts';
import { buy, openDeployment, sendQuery } from './deployment.ts';

const clean: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const one of clean.splice(0).toReversed()) await one();
});

const purchases = 80;
const killEveryMs = 1_500;
const buyEveryMs = 300;
const ends: ReadonlySet<string> = new Set(['SUCCEEDED', 'FAILED']);

/** The faults of the purchase calls in turn; null for none. */
const faultsInTurn = [null, 'lost-answer', 'late', 'reset', 'cut', 'gateway', 'delay', 'twice'];
const nameOf = (at: number) => `replicas-${at}.com`;

test(`three replicas that all get each key send one call for each of ${purchases} purchases and lose none, while one is killed every ${killEveryMs} ms`, {
  tags: ['R8', 'I1'],
  timeout: 120_000 + purchases * 3_000,
}, async ({ skip }) => {
  skip(whyNotShort !== null, whyNotShort ?? '');
  skip(whyNoPostgres !== null, whyNoPostgres ?? '');
  const database = await createDatabase();
  clean.push(() => database.remove());
  const deployment = await openDeployment({
    databaseUrl: database.url,
    env: { UPSTREAM_TIMEOUT_MS: '1000' },
    overrides: { quietWindowMs: 3_000 },
  });
  clean.push(() => deployment.close());
  await deployment.admin('POST', '/latency', { perCallMs: 20 });
  for (let at = 0; at < purchases; at += 1) {
    const fault = faultsInTurn[at % faultsInTurn.length];
    const facts = { action: 'registerdomain', domain: nameOf(at), ms: 1_200 };
    if (fault) await deployment.admin('POST', '/faults', { fault, ...facts });
  }
  const replicas = await Promise.all([deployment.start(), deployment.start(), deployment.start()]);

  // Longer than purchases are sent. A failure needs a replica that runs for the quiet window, so the kills must end.
  const kills = Math.ceil((purchases * buyEveryMs) / killEveryMs) + 3;
  const killer = (async () => {
    for (let kill = 0; kill < kills; kill += 1) {
      await sleep(killEveryMs);
      const at = kill % replicas.length;
      await replicas[at]?.kill();
      replicas[at] = await deployment.start();
    }
  })();

  /** The purchase ids in the responses to each key. */
  const idsByKey = new Map<string, Set<string>>();
  const buyUntilOver = async (at: number): Promise<string> => {
    const key = `key-${at}`;
    const input = order({ domain: nameOf(at), period: 1, idempotencyKey: key });
    const ids = new Set<string>();
    idsByKey.set(key, ids);
    for (;;) {
      const responses = await Promise.all(
        replicas.map((replica) => sendQuery(replica, buy, { input }).catch(() => null)),
      );
      const purchases = responses.flatMap((response) => response?.registerDomain?.purchase ?? []);
      for (const { id, state } of purchases) {
        ids.add(id);
        if (ends.has(state)) return state;
      }
      await sleep(400);
    }
  };
  const all = Array.from({ length: purchases }, (_, at) =>
    sleep(at * buyEveryMs).then(() => buyUntilOver(at)),
  );
  const states = await Promise.all(all);
  await killer;

  const calls = (await deployment.admin('GET', '/calls')) as { action: string; domain: string }[];
  const { purchases: ledger } = await deployment.admin('GET', '/state');
  for (let at = 0; at < purchases; at += 1) {
    const domain = nameOf(at);
    const sent = calls.filter((one) => one.action === 'registerdomain' && one.domain === domain);
    const paid = ledger.filter((one: { domain: string }) => one.domain === domain);
    expect(idsByKey.get(`key-${at}`)?.size, `${domain}: purchases`).toBe(1);
    expect(sent.length, `${domain}: calls`).toBeLessThanOrEqual(1);
    expect(paid.length, `${domain}: ${states[at]}`).toBe(states[at] === 'SUCCEEDED' ? 1 : 0);
  }
  expect(states.filter((state) => state === 'SUCCEEDED').length).toBeGreaterThan(purchases / 10);
});
