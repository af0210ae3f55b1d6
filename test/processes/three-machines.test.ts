import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { order } from '../graph/purchases/shop.ts';
import { whyNotShort } from '../support/long.ts';
import { createDatabase, type TestDatabase, whyNoPostgres } from '../support/postgres.ts';
import type { Running } from '../support/process.ts';
import { because } from '../support/skipped.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { buy, type Deployment, openDeployment, sendQuery } from './deployment.ts';

const whyNot = whyNotShort ?? whyNoPostgres;

/** Details practically never expire, so that changes show by invalidation only; prices expire soon. */
const env = {
  DOMAIN_MAX_AGE_SECONDS: '3600',
  TLD_MAX_AGE_SECONDS: '1',
};

const details = '{ domain(name: "reseller-demo.com") { nameServers } }';
const setNameServers = `mutation ($input: SetNameServersInput!) {
  setNameServers(input: $input) { errors { code } } }`;
const byKey = 'query ($key: String!) { purchase(by: { key: $key }) { state } }';

const patiently = { timeout: 20_000, interval: 50 };

describe.skipIf(whyNot)(
  `three gateways over one PostgreSQL${because(whyNot)}`,
  { timeout: 120_000 },
  () => {
    let database: TestDatabase;
    let way: TcpProxy;
    let deployment: Deployment;
    let replicas: Running[];
    beforeAll(async () => {
      database = await createDatabase();
      const url = new URL(database.url);
      way = await startTcpProxy(url.hostname, Number(url.port || 5432));
      const databaseUrl = Object.assign(url, { host: way.host }).href;
      deployment = await openDeployment({ databaseUrl, env });
      replicas = await Promise.all([deployment.start(), deployment.start(), deployment.start()]);
    }, 180_000);
    beforeEach(async () => {
      await deployment.admin('DELETE', '/calls');
    });
    afterAll(async () => {
      await deployment?.close();
      await way?.cut();
      await database?.remove();
    });

    const calls = (action: string): Promise<number> => deployment.countCalls(action);
    const replica = (at: number): Running => {
      const found = replicas[at];
      if (!found) throw new Error('There are three.');
      return found;
    };
    const nameServersAt = async (at: number) =>
      (await sendQuery(replica(at), details)).domain.nameServers;
    const setAt = (at: number, nameServers: readonly string[]) =>
      sendQuery(replica(at), setNameServers, {
        input: { domain: 'reseller-demo.com', nameServers },
      });
    const buyAt = async (at: number, domain: string) => {
      const input = order({ domain, period: 1, idempotencyKey: domain });
      return (await sendQuery(replica(at), buy, { input })).registerDomain;
    };

    test('show the writes of one gateway on all of them', { tags: ['R13'] }, async () => {
      await Promise.all([0, 1, 2].map(nameServersAt));

      await setAt(0, ['ns1.changed.net', 'ns2.changed.net']);

      for (const at of [0, 1, 2]) {
        const shown = () => nameServersAt(at);
        await expect.poll(shown, patiently).toEqual(['ns1.changed.net', 'ns2.changed.net']);
      }
    });

    test('serve every read while PostgreSQL is away under load, and share invalidations again afterwards', {
      tags: ['S6'],
    }, async () => {
      let isOver = false;
      const responses: unknown[] = [];
      const load = replicas.map(async (one, at) => {
        for (let round = 0; !isOver; round += 1) {
          const name = `never-sold-${at}-${round}.com`;
          const document = `{ tld(name: "com") { name } availability(name: "${name}") { state } }`;
          responses.push(await sendQuery(one, document));
          await sleep(10);
        }
      });

      await sleep(200);
      await way.cut();
      await sleep(1_000);
      await way.restore();
      isOver = true;
      await Promise.all(load);

      const right = { tld: { name: 'com' }, availability: { state: 'AVAILABLE' } };
      expect(responses.length).toBeGreaterThan(10);
      expect(responses.filter((one) => JSON.stringify(one) !== JSON.stringify(right))).toEqual([]);
      const written = async () => {
        const { errors } = (await setAt(0, ['ns1.again.net', 'ns2.again.net'])).setNameServers;
        return errors;
      };
      await expect.poll(written, patiently).toEqual([]);
      for (const at of [1, 2]) {
        const shown = () => nameServersAt(at);
        await expect.poll(shown, patiently).toEqual(['ns1.again.net', 'ns2.again.net']);
      }
    });

    test('buy nothing without PostgreSQL, continue to read, and buy again once it is back', {
      tags: ['S6'],
    }, async () => {
      await way.cut();

      const refused = await Promise.all([0, 1, 2].map((at) => buyAt(at, `no-journal-${at}.com`)));
      const shown = await Promise.all([0, 1, 2].map(nameServersAt));

      for (const one of refused) {
        expect(one).toMatchObject({
          purchase: null,
          errors: [{ code: 'JOURNAL_UNAVAILABLE', executed: 'NO' }],
        });
      }
      expect(await calls('registerdomain')).toBe(0);
      expect(shown.every((nameServers) => nameServers.length === 2)).toBe(true);

      await way.restore();
      for (const at of [0, 1, 2]) {
        const state = async () => (await buyAt(at, `journal-is-back-${at}.com`)).purchase?.state;
        await expect.poll(state, patiently).toBe('SUCCEEDED');
      }
      expect(await calls('registerdomain')).toBe(3);
    });

    test('settle the purchase of a killed gateway, and buy each name once', {
      tags: ['R13', 'S6'],
    }, async () => {
      const before = await deployment.admin('GET', '/state');
      const facts = { action: 'registerdomain', domain: 'orphan.com' };
      await deployment.admin('POST', '/faults', { fault: 'hold-after', ...facts });
      const names = Array.from({ length: 4 }, (_, at) => `beside-an-orphan-${at}.com`);

      const orphan = buyAt(2, 'orphan.com').catch(() => 'no response');
      await expect
        .poll(async () => (await deployment.admin('GET', '/held')).held, patiently)
        .toBe(1);
      const beside = Promise.all(names.map((name, at) => buyAt(at % 2, name)));
      await replica(2).kill();
      await orphan;
      await deployment.admin('POST', '/release', {});

      expect((await beside).map(({ purchase }) => purchase.state)).toEqual(
        names.map(() => 'SUCCEEDED'),
      );
      for (const at of [0, 1]) {
        const state = async () =>
          (await sendQuery(replica(at), byKey, { key: 'orphan.com' })).purchase.state;
        await expect.poll(state, patiently).toBe('SUCCEEDED');
      }
      expect((await buyAt(0, 'orphan.com')).replayed).toBe(true);
      const after = await deployment.admin('GET', '/state');
      const paid = after.purchases.slice(before.purchases.length);
      expect(paid.map(({ domain }: { domain: string }) => domain).sort()).toEqual(
        [...names, 'orphan.com'].sort(),
      );
      expect(await calls('registerdomain')).toBe(names.length + 1);
      const sum = paid.reduce((total: number, { price }: { price: string }) => total + +price, 0);
      expect(dollars(before) - dollars(after)).toBeCloseTo(sum, 4);
    });
  },
);

// biome-ignore lint/suspicious/noExplicitAny: a test looks into responses of any shape
const dollars = ({ balances }: any): number =>
  Number(balances.find(({ currency }: { currency: string }) => currency === 'USD').balance);
