import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { order } from '../graph/purchases/shop.ts';
import { openStream } from '../support/event-stream.ts';
import { whyNotShort } from '../support/long.ts';
import { createDatabase, whyNoPostgres } from '../support/postgres.ts';
import type { Running } from '../support/process.ts';
import { openDeployment, sendQuery } from './deployment.ts';
import { startRouter } from './router.ts';

const clean: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const one of clean.splice(0).toReversed()) await one();
});

/** The number of gateways that are replaced one after another. */
const restarts = 12;
const replicas = 2;
const readers = 4;
// Limited by the balance of the sandbox and by the open streams per caller.
const buyEveryMs = Math.max(700, restarts * 15);
/** On a slow machine a restart takes too long for the balance. */
const maxPerRestart = 5;

const readings = [
  '{ domain(name: "reseller-demo.com") { name state nameServers } }',
  '{ domains(first: 10) { totalCount nodes { name expiresAt } } }',
  '{ availabilities(names: ["free-harbor.com", "free-harbor.net"]) { state } }',
  '{ tld(name: "com") { price(operation: REGISTRATION) { price { amount } } } }',
];
const buy = `mutation ($input: RegisterDomainInput!) {
  registerDomain(input: $input) { purchase { id state } errors { code executed } } }`;
const settled = 'subscription ($id: ID!) { purchaseSettled(id: $id) { state } }';

/** Prevents an unhandled rejection after the end of the test; the error is thrown where the work is awaited. */
const inBackground = <T>(work: Promise<T>): Promise<T> => {
  work.catch(() => undefined);
  return work;
};

const longTest = test.skipIf(whyNotShort);

longTest(
  `during ${restarts} rolling restarts under load no read fails, each purchase has an outcome and each stream completes`,
  { tags: ['S7'], timeout: 60_000 + restarts * 28_000 },
  async ({ skip }) => {
    skip(whyNoPostgres !== null, whyNoPostgres ?? '');
    const database = await createDatabase();
    clean.push(() => database.remove());
    const deployment = await openDeployment({
      databaseUrl: database.url,
      env: { STOP_DELAY_SECONDS: '3', UPSTREAM_TIMEOUT_MS: '5000' },
    });
    clean.push(() => deployment.close());
    await deployment.admin('POST', '/latency', { perCallMs: 20 });
    const router = await startRouter();
    clean.push(() => router.close());
    const through = { origin: router.origin } as Running;
    const running: Running[] = [];
    const startOne = async () => {
      const one = await deployment.start();
      router.add(one.origin);
      return one;
    };
    for (let at = 0; at < replicas; at += 1) running.push(await startOne());
    await sleep(200);

    let isOver = false;
    // Also when the test fails.
    clean.push(async () => {
      isOver = true;
    });
    const reads = { good: 0, bad: [] as unknown[] };
    const read = async (at: number) => {
      for (let number = at; !isOver; number += 1) {
        const query = readings[number % readings.length] ?? '';
        const body = JSON.stringify({ query });
        const headers = { 'content-type': 'application/json' };
        const response = await fetch(`${router.origin}/graphql`, { method: 'POST', headers, body });
        const text = await response.text();
        const isGood = response.status === 200 && !('errors' in JSON.parse(text));
        if (isGood) reads.good += 1;
        else reads.bad.push(`${response.status} ${text}`);
        await sleep(20);
      }
    };

    const purchases: { readonly domain: string; readonly id: string }[] = [];
    const refused: unknown[] = [];
    const streams: Promise<string>[] = [];
    /** The last event of the stream of a purchase. */
    const listen = async (id: string): Promise<string> => {
      const stream = await openStream(router.origin, { query: settled, variables: { id } });
      const events = await stream.rest();
      return events.at(-1)?.event ?? 'nothing';
    };
    const buyOne = async (at: number) => {
      const domain = `rolling-${at}.com`;
      // Every third reply is lost, so that gateways must find the outcome.
      if (at % 3 === 0) {
        const facts = { action: 'registerdomain', domain };
        await deployment.admin('POST', '/faults', { fault: 'lost-answer', ...facts });
      }
      const input = order({ domain, period: 1, idempotencyKey: `rolling-${at}` });
      const answer = await sendQuery(through, buy, { input }).catch((error: unknown) => error);
      const id = answer?.registerDomain?.purchase?.id;
      if (!id) return void refused.push(answer);
      purchases.push({ domain, id });
      streams.push(inBackground(listen(id)));
    };
    const buyers: Promise<void>[] = [];
    const shop = async () => {
      for (let at = 0; !isOver; at += 1) {
        buyers.push(inBackground(buyOne(at)));
        do await sleep(buyEveryMs);
        while (!isOver && at >= maxPerRestart * (exits.length + 1));
      }
    };

    const exits: (number | null)[] = [];
    const load = inBackground(
      Promise.all([...Array.from({ length: readers }, (_, at) => read(at)), shop()]),
    );
    for (let at = 0; at < restarts && !isOver; at += 1) {
      const next = await startOne();
      await sleep(200);
      const leaving = running.shift();
      running.push(next);
      exits.push((await leaving?.stop()) ?? null);
      if (leaving) router.remove(leaving.origin);
    }
    isOver = true;
    await load;
    await Promise.all(buyers);

    const outcomes = await Promise.all(
      purchases.map(async ({ id }) => {
        for (;;) {
          const { purchase } = await sendQuery(
            through,
            'query ($id: ID!) { purchase(by: { id: $id }) { state } }',
            { id },
          );
          const isOpen = purchase.state === 'SENDING' || purchase.state === 'PENDING';
          if (!isOpen) return purchase.state;
          await sleep(200);
        }
      }),
    );
    const ended = await Promise.all(streams);
    const calls = (await deployment.admin('GET', '/calls')) as { action: string; domain: string }[];
    const sentTwice = purchases.filter(
      ({ domain }) =>
        calls.filter((one) => one.action === 'registerdomain' && one.domain === domain).length !==
        1,
    );

    expect(refused).toEqual([]);
    expect(exits).toEqual(Array(restarts).fill(0));
    expect(reads.bad).toEqual([]);
    expect(reads.good).toBeGreaterThan(restarts * 10);
    expect(purchases.length).toBeGreaterThan(restarts);
    expect(outcomes.filter((state) => state !== 'SUCCEEDED')).toEqual([]);
    expect(sentTwice).toEqual([]);
    expect(ended.filter((event) => event !== 'complete')).toEqual([]);
  },
);
