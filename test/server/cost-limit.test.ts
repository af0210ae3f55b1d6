import { getOperationAST, parse } from 'graphql';
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { schema } from '../../src/app/graph.ts';
import { createEstimate } from '../../src/server/graphql/cost-estimate.ts';
import { arm, freeNames, portfolioNames } from '../graph/reads/reads.ts';
import { openStream } from '../support/event-stream.ts';
import { everyTld, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { requestPaths } from '../support/request-paths.ts';

const registrants = /* GraphQL */ `
  query ($first: Int) { domains(first: $first) { nodes { contacts { registrant { email } } } } }
`;

describe.each(requestPaths)('on %s', (_name, way) => {
  const env = { MAX_UPSTREAM_CALLS: '20' };
  const started = startTestGateway({
    ...way,
    env,
    sandboxDomains: 60,
    sandboxTlds: everyTld,
  });
  afterAll(async () => (await started).close());
  beforeEach(async () => (await started).resetCalls());

  test('a document whose cost exceeds the limit is refused before any upstream call', {
    tags: ['R7', 'S3'],
  }, async () => {
    const gateway = await started;

    const { status, data, errors, extensions } = await gateway.query(registrants, { first: 50 });

    expect(status).toBe(400);
    expect(data).toBeUndefined();
    expect(errors).toMatchObject([
      {
        message: expect.stringContaining('needs up to 51 upstream calls; the limit is 20'),
        extensions: { code: 'COST_LIMIT_EXCEEDED', executed: 'NO', retryable: false },
      },
    ]);
    expect(extensions.cost).toEqual({ upstreamCalls: 51, limit: 20 });
    expect(await gateway.upstreamCalls()).toEqual([]);
  });

  test('the largest page within the limit is served, and extensions.cost reports its calls', async () => {
    const gateway = await started;

    const { data, extensions } = await gateway.query(registrants, { first: 19 });

    expect(data.domains.nodes).toHaveLength(19);
    expect(extensions.cost).toEqual({ upstreamCalls: 20, limit: 20 });
    expect(await gateway.upstreamCalls()).toHaveLength(20);
  });

  test('the cost includes names that an incomplete list lacks, so no name fails for its cost', async () => {
    const names = portfolioNames(60).slice(-40);
    const sendQuery = (gateway: TestGateway) =>
      gateway.query('query ($names: [String!]!) { domainsByName(names: $names) { name } }', {
        names,
      });
    const listSize = { sandboxDomains: 60, sandboxListSize: 5 };
    const larger = await startTestGateway({
      ...way,
      ...listSize,
      env: { MAX_UPSTREAM_CALLS: '41' },
    });
    onTestFinished(() => larger.close());

    const refused = await sendQuery(await started);
    const answered = await sendQuery(larger);

    expect(refused.errors).toMatchObject([{ extensions: { code: 'COST_LIMIT_EXCEEDED' } }]);
    expect(await (await started).upstreamCalls()).toEqual([]);
    expect(answered.errors).toBeUndefined();
    expect(answered.data.domainsByName).toEqual(names.map((name) => ({ name })));
    expect(answered.extensions.cost).toEqual({ upstreamCalls: 41, limit: 41 });
    expect(await larger.countCalls()).toEqual({ getdomainlist: 1, getdetails: 40 });
  });

  test('retries of a failed read do not use the calls of other reads', {
    tags: ['S3'],
  }, async () => {
    const gateway = await started;
    await arm(gateway, 'gateway', 'getcontacts', { times: 1_000 });

    const { data } = await gateway.query(registrants, { first: 18 });

    await gateway.admin('DELETE', '/faults');
    expect(data.domains.nodes).toHaveLength(18);
    const calls = await gateway.upstreamCalls();
    const read = calls.filter(({ action }) => action === 'getcontacts').map(({ domain }) => domain);
    expect(new Set(read).size).toBe(18);
    expect(calls).toHaveLength(20);
  });

  test('invalid names in a bulk check cause no calls above the limit', {
    tags: ['S3'],
  }, async () => {
    const gateway = await started;
    const names = [...freeNames(60), ...Array.from({ length: 40 }, (_, at) => `a.b${at}.com`)];

    const { data, errors } = await gateway.query(
      'query ($names: [String!]!) { availabilities(names: $names) { name state } }',
      { names },
    );

    expect(errors).toBeUndefined();
    expect(data.availabilities).toHaveLength(100);
    expect((await gateway.upstreamCalls()).length).toBeLessThanOrEqual(20);
  });

  test('searches share the remaining calls, and a search above the limit is refused', async () => {
    const gateway = await started;
    const all = (alias: string, label: string) =>
      `${alias}: searchDomains(labels: ["${label}"], first: 1000) { availability { state } }`;

    const refused = await gateway.query(`{ ${all('a', 'maple-one')} ${all('b', 'maple-two')} }`);
    const one = `searchDomains(labels: ["maple-one"], first: 100) { availability { name state } }`;
    const two = await gateway.query(`{ a: ${one} b: ${one.replace('one', 'two')} }`);

    expect(refused.extensions.cost).toEqual({ upstreamCalls: 21, limit: 20 });
    expect(two.extensions.cost).toEqual({ upstreamCalls: 3, limit: 20 });
    const found = [...two.data.a, ...two.data.b];
    expect(found).toHaveLength(200);
    expect(new Set(found.map(({ availability }) => availability.state))).toEqual(
      new Set(['AVAILABLE']),
    );
    expect((await gateway.upstreamCalls()).length).toBeLessThanOrEqual(20);
  });

  test('a deferred query and a subscription above the limit are refused', {
    tags: ['R7'],
  }, async () => {
    const gateway = await started;
    const deferred = await openStream(gateway.url, {
      query: `query ($first: Int) { ... @defer { domains(first: $first) { nodes { contacts { registrant { email } } } } } }`,
      variables: { first: 50 },
    });
    const tlds = Array.from({ length: 1_000 }, (_, at) => `tld${at}`);
    const small = await startTestGateway({ ...way, env: { MAX_UPSTREAM_CALLS: '5' } });
    const followed = await openStream(small.url, {
      query:
        'subscription ($tlds: [String!]) { searchDomains(labels: ["maple"], tlds: $tlds) { availability { name } } }',
      variables: { tlds },
    });

    const refusals = [...(await deferred.rest()), ...(await followed.rest())].filter(
      ({ event }) => event === 'next',
    );

    await small.close();
    expect(refusals.map(({ data }) => data)).toMatchObject([
      {
        errors: [{ extensions: { code: 'COST_LIMIT_EXCEEDED' } }],
        extensions: { cost: { upstreamCalls: 51, limit: 20 } },
      },
      {
        errors: [{ extensions: { code: 'COST_LIMIT_EXCEEDED' } }],
        extensions: { cost: { upstreamCalls: 11, limit: 5 } },
      },
    ]);
    expect(await gateway.upstreamCalls()).toEqual([]);
  });
});

test('a page of domains with their registrants is within the default limit', async () => {
  const gateway = await startTestGateway({ sandboxDomains: 60 });

  const page = await gateway.query(
    '{ domains { nodes { name contacts { registrant { email } } } } }',
  );
  const largest = await gateway.query(registrants, { first: 100 });

  await gateway.close();
  expect(page.errors).toBeUndefined();
  expect(page.data.domains.nodes).toHaveLength(20);
  expect(page.extensions.cost).toEqual({ upstreamCalls: 21, limit: 200 });
  expect(largest.errors).toBeUndefined();
});

test('the time to compute the cost is linear in the document, for any nesting of fragments', () => {
  const fragments = Array.from(
    { length: 30 },
    (_, at) => `fragment f${at} on Query { ...f${at + 1} ... on Query { ...f${at + 1} } }`,
  );
  const document = parse(
    `query { ...f0 } ${fragments.join(' ')} fragment f30 on Query { reseller { name } }`,
  );
  const operation = getOperationAST(document);

  const counted = operation && createEstimate(schema)({ document, operation });

  expect(counted?.upstreamCalls).toBe(1);
});
