import { describe, expect, onTestFinished, test } from 'vitest';
import { ada } from '../../../../test/support/ada.ts';
import { startTestGateway, type TestGatewayOptions } from '../../../../test/support/gateway.ts';
import { createGatewayClock } from '../../../../test/support/gateway-clock.ts';
import { runs, whyNotShort } from '../../../../test/support/long.ts';
import { hourMs, minuteMs } from '../../../../test/support/simulated-clock.ts';
import { portfolioNames, read } from '../../../../test/graph/reads/reads.ts';

const perMinute = 30;

/** The upstream lists 200 of the domains of the account. */
async function start({ sandboxDomains = 230, env = {}, ...options }: TestGatewayOptions = {}) {
  const time = createGatewayClock();
  const gateway = time.withTime(
    await startTestGateway({
      ...options,
      sandboxDomains,
      clock: time.clock,
      // The job engine looks for items every ten minutes, because each timer takes time here.
      jobLeaseMs: hourMs,
      env: {
        DOMAIN_MAX_AGE_SECONDS: '10',
        PORTFOLIO_READS_PER_MINUTE: String(perMinute),
        ...env,
      },
    }),
  );
  onTestFinished(() => gateway.close());
  const list = async (args = 'first: 1', fields = '') => {
    const figures = 'totalCount coverage { complete nextStep known listed oldestRowAt asOf }';
    const { domains } = await read(gateway, `{ domains(${args}) { ${figures} ${fields} } }`);
    return { ...domains, ...domains.coverage };
  };
  const track = async (names: readonly string[]) => {
    const document = `mutation ($names: [String!]!) { trackDomains(input: { names: $names }) {
      added alreadyKnown errors { code message path } } }`;
    return (await read(gateway, document, { names })).trackDomains;
  };
  const now = () => time.clock.now().getTime();
  return { time, gateway, list, track, now };
}
type Started = Awaited<ReturnType<typeof start>>;

/** The getdetails calls. */
const detailsReads = async ({ gateway }: Pick<Started, 'gateway'>) =>
  (await gateway.upstreamCalls()).filter(({ action }) => action === 'getdetails');

test('after an import of 356 names a list of 200 has all of them and is complete, in a minute and within its budget', async () => {
  const { time, gateway, list, track } = await start({ sandboxDomains: 356 });
  expect(await list()).toMatchObject({ complete: false, totalCount: 200, known: 200 });

  expect(await track(portfolioNames(356))).toEqual({ added: 156, alreadyKnown: 200, errors: [] });
  expect(await list()).toMatchObject({
    ...{ complete: false, known: 356 },
    nextStep: expect.stringMatching(/reads 156 domains .* about 1 minute:/),
  });
  await time.pass(minuteMs);
  // The list on which the count is based may be older than the import.
  await list();
  await time.pass(10_000);

  expect(await list()).toMatchObject({
    ...{ complete: true, totalCount: 356, known: 356, listed: 356, nextStep: null },
  });
  const reads = await detailsReads({ gateway });
  expect(reads.map(({ domain }) => domain).toSorted()).toEqual(
    portfolioNames(356).slice(200).toSorted(),
  );
  const times = reads.map(({ at }) => Date.parse(at));
  for (const from of times) {
    const inMinute = times.filter((at) => at >= from && at < from + minuteMs);
    expect(inMinute.length).toBeLessThanOrEqual(10 * perMinute);
  }
});

test('a domain that is bought stays in the list, also after a restart, although the upstream does not list it', async () => {
  const { time, gateway, list } = await start();
  await list();
  const { registerDomain } = await read(
    gateway,
    `mutation ($registrant: ContactInput!) { registerDomain(input: {
      domain: "zz-bought-now.com", period: 1, registrant: { fields: $registrant }
      nameServers: ["ns1.example-dns.net", "ns2.example-dns.net"]
    }) { purchase { state } errors { code } } }`,
    { registrant: ada },
  );
  expect(registerDomain).toEqual({ purchase: { state: 'SUCCEEDED' }, errors: [] });
  const find = async () =>
    (await list('filter: { contains: "zz-bought-now" }', 'nodes { name state }')).nodes;
  const found = [{ name: 'zz-bought-now.com', state: 'ACTIVE' }];

  expect(await find()).toEqual(found);
  await time.pass(runs(minuteMs, hourMs));
  expect(await find()).toEqual(found);
  await gateway.restart();
  await gateway.resetCalls();

  expect(await find()).toEqual(found);
  expect(await gateway.countCalls()).toMatchObject({ getdomainlist: 1 });
});

test('a domain that the account no longer has leaves the list', async ({ skip }) => {
  skip(whyNotShort !== null, whyNotShort ?? '');
  const { time, gateway, list, track } = await start({ sandboxDomains: 202 });
  const [remaining = '', gone = ''] = portfolioNames(202).slice(200);
  await list();
  await track([remaining, gone]);
  await time.pass(minuteMs);
  expect(await list()).toMatchObject({ totalCount: 202 });
  await gateway.admin('POST', '/faults', {
    ...{ fault: 'code', code: 'API_2303_ERROR', status: 200 },
    ...{ action: 'getdetails', domain: gone, times: 1_000 },
  });

  // A row is renewed every hour while the list is in use, and the second read decides.
  for (let hours = 0; hours < 3; hours += 1) {
    await list();
    await time.pass(hourMs);
  }

  expect(await list()).toMatchObject({ totalCount: 201, known: 201 });
  const reads = await detailsReads({ gateway });
  expect(reads.filter(({ domain }) => domain === gone).length).toBeLessThanOrEqual(4);
});

test('a name that the account does not have is removed when it is read, and the list is complete', async () => {
  const { time, gateway, list, track } = await start({ sandboxDomains: 200 });
  await list();

  expect(await track(['others-demo.com', 'not-registered-by-us.com'])).toMatchObject({ added: 2 });
  await time.pass(minuteMs);

  expect(await list()).toMatchObject({ complete: true, known: 200, totalCount: 200 });
  expect((await gateway.countCalls()).getdetails).toBe(2);
});

test('a write shows in the list at once, also of a domain that the upstream does not list', async () => {
  const { time, gateway, list, track } = await start({ sandboxDomains: 210 });
  const domain = portfolioNames(210)[205] ?? '';
  await list();
  await track([domain]);
  await time.pass(minuteMs);
  const hosts = async () =>
    (await list(`filter: { contains: "${domain}" }`, 'nodes { nameServers }')).nodes[0].nameServers;
  expect(await hosts()).not.toEqual(['ns1.other.net', 'ns2.other.net']);
  const set = (nameServers: readonly string[]) =>
    read(
      gateway,
      `mutation ($domain: String!, $nameServers: [String!]!) {
        setNameServers(input: { domain: $domain, nameServers: $nameServers }) { errors { code } } }`,
      { domain, nameServers },
    );

  await set(['ns1.other.net', 'ns2.other.net']);
  expect(await hosts()).toEqual(['ns1.other.net', 'ns2.other.net']);
  // Without a read between the write and the next list.
  await set(['ns1.third.net', 'ns2.third.net']);
  await time.pass(11_000);
  expect(await hosts()).toEqual(['ns1.third.net', 'ns2.third.net']);
});

test('an idle gateway makes no upstream call', async ({ skip }) => {
  skip(whyNotShort !== null, whyNotShort ?? '');
  const { time, gateway, list, track } = await start();
  await list();
  await track(portfolioNames(230));
  await time.pass(2 * minuteMs);
  await gateway.resetCalls();

  await time.pass(3 * hourMs);

  // The rows are an hour old when the list was last read ten minutes before.
  expect(await gateway.countCalls()).toEqual({});
});

describe('trackDomains', () => {
  test('refuses names that are no domain names with their paths, and adds none', async () => {
    const { list, track } = await start({ sandboxDomains: 3 });
    await list();

    const { added, alreadyKnown, errors } = await track(['good.com', 'no name', 'fine.com', '-']);

    expect({ added, alreadyKnown }).toEqual({ added: null, alreadyKnown: null });
    expect(errors).toMatchObject([
      { code: 'INVALID_INPUT', path: ['input', 'names', '1'] },
      { code: 'INVALID_INPUT', path: ['input', 'names', '3'] },
    ]);
    expect(await list()).toMatchObject({ known: 3 });
  });

  test('refuses an empty list and a list of 10,001 names with one sentence', async () => {
    const { gateway, track } = await start({ sandboxDomains: 3 });
    const names = Array.from({ length: 10_001 }, (_, at) => `n${at}.com`);

    const message = 'Send 1 to 10000 names; "names" has 0.';
    expect((await track([])).errors).toEqual([
      { code: 'INVALID_INPUT', message, path: ['input', 'names'] },
    ]);
    const { errors } = await gateway.query(
      'mutation ($names: [String!]!) { trackDomains(input: { names: $names }) { added } }',
      { names },
    );

    const tooMany =
      'The JSON of a request may have at most 10000 items of one list; this one has more.';
    expect(errors).toMatchObject([{ message: tooMany }]);
  });

  test('adds 10,000 names, each once in any spelling', async () => {
    const { list, track } = await start({
      sandboxDomains: 3,
      env: { PORTFOLIO_READS_PER_MINUTE: '0' },
    });
    const names = Array.from({ length: 9_999 }, (_, at) => `n${at}.com`);
    await list();

    expect(await track([...names, 'N1.COM.'])).toMatchObject({ added: 9_999, alreadyKnown: 0 });

    expect(await list()).toMatchObject({ complete: false, totalCount: 3, known: 10_002 });
  });
});

describe('the time of a row is that of', () => {
  const noLedger = { PORTFOLIO_READS_PER_MINUTE: '0' };
  const at = ({ asOf }: { readonly asOf: string }) => Date.parse(asOf);
  const protect =
    'setPrivacyProtection(input: { domain: "reseller-demo.com", privacyProtected: true })';

  test('its getdetails, also from the cache', async () => {
    const { time, gateway, now } = await start({ sandboxDomains: 30, env: noLedger });
    const one = async () =>
      (await read(gateway, '{ domain(name: "reseller-demo.com") { asOf } }')).domain;
    const first = await one();
    await time.pass(5_000);

    expect(now() - at(first)).toBeGreaterThanOrEqual(5_000);
    expect(await one()).toEqual(first);
    expect(await gateway.countCalls()).toEqual({ getdetails: 1 });
    await time.pass(6_000);

    expect(at(await one())).toBeGreaterThan(at(first));
  });

  test('its list, or that of its read after a write', async () => {
    const { time, gateway, list } = await start({ sandboxDomains: 30, env: noLedger });
    const rows = (args = '') => list(`first: 100${args}`, 'nodes { name asOf }');
    const timesOf = ({ nodes }: { readonly nodes: readonly { readonly asOf: string }[] }) =>
      new Set(nodes.map(({ asOf }) => asOf));
    const first = await rows();
    await time.pass(2_000);
    await read(gateway, `mutation { ${protect} { errors { code } } }`);
    const second = await rows();
    await time.pass(2_000);
    const third = await rows(', refresh: true');

    const written = second.nodes.find(({ name }: { name: string }) => name === 'reseller-demo.com');
    expect(timesOf(first)).toEqual(new Set([first.asOf]));
    expect(at(written) - at(first)).toBeGreaterThanOrEqual(2_000);
    expect(at(third)).toBeGreaterThan(at(written));
    expect(timesOf(third)).toEqual(new Set([third.asOf]));
  });

  test('its own read when the list leaves it out', async () => {
    const { time, list, track } = await start({ sandboxDomains: 202, sandboxListSize: 200 });
    const left = portfolioNames(202).slice(200);
    await track(left);
    await list();
    await time.pass(2 * minuteMs);

    const args = `refresh: true, filter: { contains: "${left[0]}" }`;
    const found = await list(args, 'nodes { asOf }');

    expect(found.nodes).toHaveLength(1);
    expect(at(found) - at(found.nodes[0])).toBeGreaterThan(minuteMs);
    expect(found.oldestRowAt <= found.nodes[0].asOf).toBe(true);
  });

  test.each([
    '{ node(id: "RG9tYWluOnJlc2VsbGVyLWRlbW8uY29t") { ... on Domain { asOf } } }',
    '{ domainsByName(names: ["reseller-demo.com", "private-demo.net"]) { asOf } }',
    `mutation { ${protect} { domain { asOf } } }`,
  ])('the read of %s', async (document) => {
    const { gateway } = await start({ sandboxDomains: 30, env: noLedger });
    const found = JSON.stringify(await read(gateway, document));

    expect(found).toMatch(/"asOf":"2/);
    expect(found).not.toContain('null');
  });
});
