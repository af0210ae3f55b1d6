import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allAccessScopes } from '../../../src/kernel/caller.ts';
import { apiKeysOf, by } from '../../access/keys.ts';
import { csvObjects } from '../../support/csv.ts';
import { newFolder } from '../../support/folder.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { createDatabase, whyNoPostgres } from '../../support/postgres.ts';
import { because } from '../../support/skipped.ts';
import { order, type Payload } from '../purchases/shop.ts';

/** The replicas have no shared state, so that none is notified. Nothing in their caches expires during a test. */
const settings = {
  API_KEYS: apiKeysOf(
    { acme: allAccessScopes, bolt: allAccessScopes, reseller: allAccessScopes },
    { acme: 'acme', bolt: 'bolt' },
  ),
  DEVELOPMENT: 'false',
  TLD_MAX_AGE_SECONDS: '86400',
  DOMAIN_MAX_AGE_SECONDS: '3600',
};

const register = `mutation ($input: RegisterDomainInput!) { registerDomain(input: $input) {
  purchase { id state } keyUsed errors { code message path executed } } }`;
const move = `mutation ($input: SetDomainCustomerInput!) { setDomainCustomer(input: $input) { errors { code } } }`;

for (const [driver, whyNot] of [
  ['PostgreSQL', whyNoPostgres],
  ['SQLite', null],
] as const) {
  describe.skipIf(whyNot !== null)(
    `two replicas over one ${driver} journal${because(whyNot)}`,
    () => {
      const clean: (() => Promise<unknown>)[] = [];
      let replicas: readonly [TestGateway, TestGateway];
      beforeAll(async () => {
        const folder = await newFolder('replicas');
        clean.push(() => rm(folder, { recursive: true }));
        const database = driver === 'PostgreSQL' ? await createDatabase() : null;
        if (database) clean.push(() => database.remove());
        const env = {
          ...settings,
          ...(database ? { DATABASE_URL: database.url } : { DATA_DIR: folder }),
        };
        const first = await startTestGateway({ sandboxDomains: 30, accountToken: null, env });
        clean.push(() => first.close());
        const second = await startTestGateway({
          accountToken: null,
          env: { ...env, DOMAIN_API_URL: `${first.sandboxUrl}/domain-api` },
        });
        clean.push(() => second.close());
        replicas = [first, second];
        await assign(['reseller-demo.com', 'unlocked-demo.com'], 'acme');
        await assign(['private-demo.net'], 'bolt');
      });
      afterAll(async () => {
        for (const one of clean.toReversed()) await one();
      });

      const send = async (
        at: 0 | 1,
        who: string,
        document: string,
        variables = {},
      ): Promise<Payload> => {
        const { data, errors } = await replicas[at].query(document, variables, by(who));
        expect(errors).toBeUndefined();
        return data;
      };
      const assign = async (domains: readonly string[], customer: string) => {
        const { setDomainCustomer } = await send(0, 'reseller', move, {
          input: { names: domains, customer },
        });
        expect(setDomainCustomer.errors).toEqual([]);
      };
      const namesOf = async (
        at: 0 | 1,
        who: string,
        refresh = false,
      ): Promise<readonly string[]> => {
        const document = `{ domains(first: 100, refresh: ${refresh}) { totalCount coverage { known listed complete } nodes { name } }
      domainStats { totalCount } }`;
        const { domains, domainStats } = await send(at, who, document);
        const names = domains.nodes.map(({ name }: Payload) => name);
        const { length } = names;
        expect(domains).toMatchObject({
          totalCount: length,
          coverage: { known: length, listed: length },
        });
        expect(domainStats.totalCount).toBe(length);
        return names.toSorted();
      };

      test('of two customers that buy a name at once one gets it, and the other cannot see it on any replica', {
        tags: ['C2'],
      }, async () => {
        const won: Record<string, string[]> = { acme: [], bolt: [] };
        for (let round = 0; round < 6; round += 1) {
          const domain = `bought-twice-${round}.com`;
          const buyers = round % 2 === 0 ? ['acme', 'bolt'] : ['bolt', 'acme'];
          await replicas[0].resetCalls();
          const payloads = await Promise.all(
            buyers.map(async (who, at) => {
              const input = order({ domain, idempotencyKey: `round ${round}` });
              return { who, ...(await send(at as 0 | 1, who, register, { input })).registerDomain };
            }),
          );
          const [winner] = payloads.filter(({ purchase }) => purchase?.state === 'SUCCEEDED');
          const [loser] = payloads.filter(({ who }) => who !== winner?.who);

          const message = `${domain} is not available for registration.`;
          expect(loser.errors).toMatchObject([{ code: 'NOT_AVAILABLE', message, executed: 'NO' }]);
          expect(JSON.stringify(loser)).not.toContain(winner.purchase.id);
          expect((await replicas[0].countCalls()).registerdomain).toBe(1);
          won[winner.who]?.push(domain);
          for (const at of [0, 1] as const) {
            const lookup = `{ domain(name: "${domain}") { name customer } purchase(by: { id: "${winner.purchase.id}" }) { state } }`;
            expect(await send(at, loser.who, lookup)).toEqual({ domain: null, purchase: null });
            expect(await send(at, winner.who, lookup)).toEqual({
              ...{
                domain: { name: domain, customer: winner.who },
                purchase: { state: 'SUCCEEDED' },
              },
            });
          }
        }
        for (const at of [0, 1] as const) {
          const { acme = [], bolt = [] } = won;
          const ofAcme = [...acme, 'reseller-demo.com', 'unlocked-demo.com'];
          expect(await namesOf(at, 'acme', true)).toEqual(ofAcme.toSorted());
          expect(await namesOf(at, 'bolt', true)).toEqual([...bolt, 'private-demo.net'].toSorted());
          const count = async (who: string) =>
            (await send(at, who, '{ purchases(filter: { states: [SUCCEEDED] }) { totalCount } }'))
              .purchases.totalCount;
          expect([await count('acme'), await count('bolt')]).toEqual([acme.length, bolt.length]);
        }
      });

      test('a domain that gets another customer on one replica disappears on the other at once, also from its caches', {
        tags: ['C2'],
      }, async () => {
        const name = 'unlocked-demo.com';
        const reads = [
          `{ domain(name: "${name}") { name state contacts { registrant { email } } customer } }`,
          `{ domainsByName(names: ["${name}"]) { name authCode } }`,
          `{ domains(filter: { contains: "unlocked-demo" }) { totalCount nodes { name } } }`,
          `{ domainStats(filter: { contains: "unlocked-demo" }) { totalCount byTld { value count } } }`,
          `{ previewBulkChange(filter: { contains: "unlocked-demo" }, change: { privacyProtected: true }) { count sample { domainName } } }`,
        ];
        // Equal requests fill the caches of values and of responses.
        const readAll = async (who: string) => {
          const texts: string[] = [];
          for (const read of reads) texts.push(JSON.stringify(await send(1, who, read)));
          const csv = await fetch(`${replicas[1].url}/export/domains.csv`, { headers: by(who) });
          const rows = csvObjects(await csv.text()).filter((row) => row.name === name);
          return [...texts, JSON.stringify(rows)];
        };
        for (let at = 0; at < 4; at += 1) await readAll('acme');
        const ofOwner = await readAll('acme');
        const ofOther = await readAll('bolt');
        const before = await namesOf(1, 'acme');
        await assign([name], 'bolt');
        await replicas[0].resetCalls();
        const afterwards = await readAll('acme');

        for (const [at, text] of ofOwner.entries())
          expect(text, `read ${at}`).not.toBe(ofOther[at]);
        expect(afterwards).toEqual(ofOther);
        expect(await namesOf(1, 'acme')).toEqual(before.filter((one) => one !== name));
        expect(await namesOf(1, 'bolt')).toContain(name);
        const write = `mutation { setPrivacyProtection(input: { domain: "${name}", privacyProtected: true }) { errors { code } } }`;
        expect((await send(1, 'acme', write)).setPrivacyProtection.errors).toEqual([
          { code: 'NOT_FOUND' },
        ]);
        expect(await replicas[0].countCalls()).toEqual({});

        await assign([name], 'acme');
        expect(await readAll('acme')).toEqual(ofOwner);
        expect(await readAll('bolt')).toEqual(ofOther);
      });
    },
  );
}
