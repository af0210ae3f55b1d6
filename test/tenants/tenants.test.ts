import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { order } from '../graph/purchases/shop.ts';
import { startApp } from '../support/app.ts';
import { openStream } from '../support/event-stream.ts';
import { newFolder } from '../support/folder.ts';
import { createGatewayClock } from '../support/gateway-clock.ts';
import { runPurchases } from '../support/process.ts';
import { requestPaths } from '../support/request-paths.ts';
import { type Account, as, openThree, type SharedGateway, settingsOfThree } from './accounts.ts';

const buying = /* GraphQL */ `
  mutation ($input: RegisterDomainInput!) {
    registerDomain(input: $input) {
      purchase { id state domainName } replayed
      errors { code message ... on SpendLimitExceeded { limit scope allowedCount } }
    }
  }
`;

describe('three tenants behind one gateway', () => {
  let shared: SharedGateway;
  let one: Account;
  let two: Account;
  beforeAll(async () => {
    shared = await openThree(
      {
        env: {
          SPEND_LIMITS: '{"perHour":5,"longestPeriod":2}',
          UPSTREAM_TIMEOUT_MS: '60000',
          METRICS_PORT: '0',
        },
      },
      {
        two: { spendLimits: { perHour: 1 } },
        three: { spendLimits: { perHour: 9, longestPeriod: 9, tlds: ['com', 'site'] } },
      },
    );
    const [first, second] = shared.accounts;
    if (!first || !second) throw new Error('There are three tenants.');
    one = first;
    two = second;
  });
  afterAll(() => shared?.close());

  const buy = async ({ send: ask }: Account, name: string, key: string) => {
    const input = order({ domain: name, idempotencyKey: key });
    return (await ask(buying, { input })).data.registerDomain;
  };

  test('the same concurrent query is one upstream call per tenant, with the login of the tenant', {
    tags: ['R12'],
  }, async () => {
    await shared.gateway.resetCalls();

    const responses = await Promise.all(
      shared.accounts.map(({ send: ask }) => ask('{ reseller { upstreamId } }')),
    );

    expect(responses.map(({ data }) => data.reseller.upstreamId)).toEqual(
      shared.accounts.map(({ upstreamId }) => upstreamId),
    );
    const calls = await shared.gateway.upstreamCalls();
    expect(calls.map(({ action, reseller }) => [action, reseller]).toSorted()).toEqual(
      shared.accounts.map(({ user }) => ['resellerdetails', user]).toSorted(),
    );
  });

  test('the same key makes a purchase per tenant, which other tenants do not find', {
    tags: ['S2'],
  }, async () => {
    const mine = await buy(one, 'maple-of-one.site', 'the-key');
    const theirs = await buy(two, 'maple-of-two.site', 'the-key');

    expect([mine.errors, theirs.errors]).toEqual([[], []]);
    expect(theirs.replayed).toBe(false);
    const { id } = mine.purchase;
    const lookUp = `{ node(id: "${id}") { id } purchase(by: { id: "${id}" }) { id } byKey: purchase(by: { key: "the-key" }) { domainName } }`;
    expect((await one.send(lookUp)).data).toEqual({
      node: { id },
      purchase: { id },
      byKey: { domainName: 'maple-of-one.site' },
    });
    expect((await two.send(lookUp)).data).toEqual({
      node: null,
      purchase: null,
      byKey: { domainName: 'maple-of-two.site' },
    });
  });

  test('a subscription to a purchase of another tenant is NOT_FOUND', {
    tags: ['S2'],
  }, async () => {
    const { purchase } = await buy(one, 'birch-of-one.site', 'another-key');
    const query = `subscription { purchaseSettled(id: "${purchase.id}") { domainName } }`;
    const eventOf = async ({ tenant }: Account) => {
      const stream = await openStream(shared.gateway.url, { query, headers: as(tenant) });
      const event = await stream.next();
      stream.hangUp();
      return event?.data;
    };

    expect((await eventOf(one)).data.purchaseSettled.domainName).toBe('birch-of-one.site');
    expect((await eventOf(two)).errors[0].extensions.code).toBe('NOT_FOUND');
  });

  test('spend limits apply to each tenant separately', async () => {
    const { errors } = await buy(two, 'cedar-of-two.site', 'one-too-many');

    expect(errors).toMatchObject([{ code: 'SPEND_LIMIT_EXCEEDED', limit: 'PER_HOUR' }]);
    expect(errors[0]).toMatchObject({ scope: 'GATEWAY', allowedCount: 1 });
    expect((await buy(one, 'cedar-of-one.site', 'third-of-one')).errors).toEqual([]);
  });

  test('the limits of a tenant restrict those of the gateway and never extend them', async () => {
    const limits = await Promise.all(
      shared.accounts.map(async ({ send }) => {
        const { data } = await send(
          '{ gateway { spendLimits { scope perHour longestPeriod tlds } } }',
        );
        return data.gateway.spendLimits;
      }),
    );

    const ofGateway = { scope: 'GATEWAY', perHour: 5, longestPeriod: 2, tlds: null };
    expect(limits).toEqual([
      [ofGateway],
      [{ ...ofGateway, perHour: 1 }],
      [{ ...ofGateway, tlds: ['com', 'site'] }],
    ]);
  });

  test('the metrics of purchases and calls name their tenant', async () => {
    const transfer = `mutation { transferDomain(input: { domain: "outside-three.com", authCode: "Transfer-Code-01" }) { purchase { state } errors { code } } }`;
    const [, , three] = shared.accounts;
    expect((await three?.send(transfer))?.data.transferDomain).toEqual({
      purchase: { state: 'IN_PROGRESS' },
      errors: [],
    });

    const text = await (await fetch(`${shared.gateway.metricsUrl}/metrics`)).text();
    const tenantsOf = (sample: RegExp) =>
      text
        .split('\n')
        .flatMap((line) => (sample.test(line) ? (/tenant="(\w+)"/.exec(line)?.[1] ?? []) : []));
    expect(tenantsOf(/^reseller_graph_operations{.*state="IN_PROGRESS".* 1$/)).toEqual(['three']);
    expect(new Set(tenantsOf(/action="transferdomain".* [1-9]\d*$/))).toEqual(new Set(['three']));
  });
});

test('a tenant whose upstream queue is full does not hold up the others', async () => {
  const time = createGatewayClock();
  const shared = await openThree({
    clock: time.clock,
    env: { QUEUE_BUDGET_MS: '500', UPSTREAM_CONCURRENCY: '8' },
  });
  await shared.gateway.admin('POST', '/latency', { perCallMs: 200 });
  const [one, two] = shared.accounts;
  const read = (account: Account | undefined, label: string, count: number) =>
    Array.from({ length: count }, (_, at) =>
      account?.send(`{ domain(name: "${label}-${at}.site") { name } }`),
    );
  // The gateway measures the duration of a call.
  await time.during(Promise.all(read(one, 'learn', 40)));

  const burst = read(one, 'burst', 60);
  await time.pass(100);
  const [refused] = await Promise.all(read(one, 'later', 1));
  const [served] = await time.during(Promise.all(read(two, 'later', 1)));
  await time.during(Promise.all(burst));
  await shared.close();

  expect(refused?.status).toBe(503);
  expect(served?.status).toBe(200);
});

describe.each(requestPaths)('on %s', (_name, way) => {
  test('a caller of an unknown tenant is refused before execution', async () => {
    let scopes = 0;
    const app = await startApp({
      ...way,
      isTenant: () => false,
      createScope: () => {
        scopes += 1;
        return { upstreamCalls: [], cachedReads: [] };
      },
    });

    const { status, body } = await app.post({ query: '{ ok }' });

    await app.close();
    expect([status, scopes]).toEqual([403, 0]);
    expect(body.data).toBeUndefined();
    expect(body.errors[0].extensions).toMatchObject({ code: 'FORBIDDEN', executed: 'NO' });
  });
});

test('purchases are stopped for the named tenant only', async () => {
  const folder = await newFolder('tenants');
  const env = { ...(await settingsOfThree(folder)), DATA_DIR: folder };
  const shared = await openThree({ env: { DATA_DIR: folder } });

  const unnamed = await runPurchases(env, 'stop', 'why');
  const named = await runPurchases(env, '--tenant', 'two', 'stop', 'Ask Ada.');

  const codes = await Promise.all(
    shared.accounts.slice(0, 2).map(async ({ tenant, send: ask }) => {
      const input = order({ domain: `elm-of-${tenant}.site`, dryRun: true });
      const { data } = await ask(buying, { input });
      return data.registerDomain.errors.map(({ code }: { code: string }) => code);
    }),
  );
  await shared.close();
  await rm(folder, { recursive: true });
  expect(unnamed).toMatchObject({
    exitCode: 2,
    stderr:
      'purchases: Choose a tenant: --tenant with one of one, two, three, before the command.\n',
  });
  expect(named.stdout).toMatch(
    /^Purchases of sandbox:demo-two are stopped since .*: "Ask Ada."\.\n$/,
  );
  expect(codes).toEqual([[], ['PURCHASES_STOPPED']]);
});
