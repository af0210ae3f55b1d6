import { once } from 'node:events';
import { readdir, rm } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, test } from 'vitest';
import { startGateway } from '../../src/app/compose.ts';
import { readConfig } from '../../src/app/read-config.ts';
import type { Overrides } from '../../src/app/shared-deps.ts';
import type { Environment } from '../../src/config/read-values.ts';
import { createLog } from '../../src/observability/log.ts';
import { gateLimits } from '../../src/upstream/client/gate.ts';
import { openStream } from '../support/event-stream.ts';
import { newFolder } from '../support/folder.ts';
import { createGatewayClock } from '../support/gateway-clock.ts';

let opened = new AsyncDisposableStack();
afterEach(async () => {
  await opened.disposeAsync();
  opened = new AsyncDisposableStack();
});

const apiKey = 'key-of-the-shop-0123456789';

async function openFolder(): Promise<string> {
  const folder = await newFolder('gateway');
  opened.defer(() => rm(folder, { recursive: true }));
  return folder;
}

/** A gateway over its own sandbox, and its log. */
async function start(env: Environment = {}, overrides: Overrides = {}) {
  const config = readConfig({
    ...{ PORT: '0', SANDBOX_PORT: '0', SANDBOX_LATENCY: 'none', EVENTS_INTERVAL_SECONDS: '0' },
    ...(env.DATA_DIR ? {} : { DATA_DIR: await openFolder() }),
    ...env,
  });
  const lines: Record<string, unknown>[] = [];
  const log = createLog({ level: 'info', write: (line) => void lines.push(JSON.parse(line)) });
  const gateway = await startGateway(config, { log, sandboxDomains: 3, ...overrides });
  opened.defer(() => void gateway.close());
  const get = async (path: string, headers = {}) => fetch(`${gateway.url}${path}`, { headers });
  const query = async (text: string, headers = {}) => {
    const response = await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query: text }),
    });
    return response.json();
  };
  return { ...gateway, lines, get, query };
}

/** An upstream that responds when the test releases it. */
async function startSlowUpstream() {
  const waiting: ServerResponse[] = [];
  const server = createServer((_request, response) => {
    waiting.push(response);
    server.emit('called');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  opened.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    env: { DOMAIN_API_URL: `http://127.0.0.1:${port}/`, DOMAIN_API_USERNAME: 'acme' },
    called: async () => {
      if (waiting.length === 0) await once(server, 'called');
    },
  };
}

describe('a gateway', () => {
  test('has the URLs that it logs, and metrics on a port of their own only when that is set', async () => {
    const { url, sandboxUrl, metricsUrl, lines } = await start({ METRICS_PORT: '0' });
    const without = await start();

    const logged = (msg: string) => lines.find((line) => line.msg === msg)?.url;
    expect([logged('listening'), logged('metrics')]).toEqual([url, metricsUrl]);
    expect(new Set([url, sandboxUrl, metricsUrl]).size).toBe(3);
    expect((await fetch(`${metricsUrl}/metrics`)).status).toBe(200);
    expect(without.metricsUrl).toBeNull();
  });

  test('has the version and the environment of its settings, and its page shows them', async () => {
    const { query, get } = await start();
    const live = await start({
      ...{ UPSTREAM: 'live', DOMAIN_API_URL: 'https://127.0.0.1:9/domain', API_KEY: apiKey },
      ...{ DOMAIN_API_USERNAME: 'acme', DOMAIN_API_PASSWORD: 'secret' },
    });

    const text = '{ gateway { environment version } }';
    expect((await query(text)).data.gateway).toEqual({
      environment: 'SANDBOX',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    });
    expect((await live.query(text, { 'x-api-key': apiKey })).data.gateway.environment).toBe('LIVE');
    expect(live.sandboxUrl).toBeNull();
    const page = { accept: 'text/html' };
    expect(await (await get('/', page)).text()).toContain('class="environment sandbox"');
    expect(await (await live.get('/', page)).text()).toContain('class="environment live"');
  });

  test('refuses requests without a key when keys are set', async () => {
    const { query } = await start({ API_KEY: apiKey });

    const refused = await query('{ __typename }');
    expect(refused.errors[0].extensions.code).toBe('UNAUTHENTICATED');
    expect((await query('{ __typename }', { 'x-api-key': apiKey })).data).toEqual({
      __typename: 'Query',
    });
  });

  test('continues with the data of its sandbox after a restart, and without it after a reset', async () => {
    const DATA_DIR = await openFolder();
    /** The numbers of domains and of purchases, and then a further purchase. */
    const counts = async (overrides: Overrides) => {
      const { query, close } = await start({ DATA_DIR }, overrides);
      const { data } = await query('{ domains { totalCount } purchases { totalCount } }');
      const input = `{ domain: "outside-shop.com", authCode: "wrong", period: 1 }`;
      await query(`mutation { transferDomain(input: ${input}) { errors { code } } }`);
      await close();
      return [data.domains.totalCount, data.purchases.totalCount];
    };

    const [domains] = await counts({ sandboxDomains: 7 });
    expect(await counts({ sandboxDomains: 20 })).toEqual([domains, 1]);
    expect(await counts({ sandboxDomains: 20, reset: true })).toEqual([domains + 13, 0]);
  });

  test('logs one line for each mutation, with its outcome', async () => {
    const { query, lines } = await start();
    const input = '{ domain: "outside-shop.com", authCode: "wrong", period: 1 }';
    await query(`mutation { transferDomain(input: ${input}) { errors { code } } }`);

    const recorder = lines.filter(({ msg }) => msg === 'audit');
    expect(recorder).toMatchObject([
      { audit: 'transferDomain', subject: 'outside-shop.com', outcome: 'AUTH_CODE_INVALID' },
    ]);
  });

  test('starts without its database, and logs why the journal is not available', async () => {
    const { get, lines } = await start({ DATABASE_URL: 'postgres://127.0.0.1:9/none' });

    expect((await get('/health/ready')).status).toBe(503);
    expect(lines.filter(({ level }) => level === 'error')).toMatchObject([
      { msg: 'journal is not available', reason: expect.stringMatching(/\w+/) },
    ]);
  });

  test('uses the limits of its start for the upstream', async () => {
    const upstreamLimits = { ...gateLimits, breaker: { ...gateLimits.breaker, failures: 1 } };
    const { get, query } = await start(
      { DOMAIN_API_URL: 'http://127.0.0.1:9/', DOMAIN_API_USERNAME: 'acme' },
      { upstreamLimits },
    );
    await query('{ reseller { name } }');

    expect(await (await get('/health/ready')).json()).toMatchObject({
      upstream: { domain: 'open' },
    });
  });

  test('lists as many domains as its sandbox lists at once', async () => {
    const size = async (overrides: Overrides) => {
      const { query } = await start({}, { sandboxDomains: 9, ...overrides });
      const { data } = await query('{ domains { totalCount } }');
      return data.domains.totalCount;
    };

    expect(await size({ sandboxListSize: 4 })).not.toBe(await size({ sandboxListSize: 0 }));
  });
});

describe('a start that fails', () => {
  test('has closed the parts that it had started', async () => {
    const { url } = await start();
    const SANDBOX_PORT = new URL((await start({ SANDBOX_PORT: '0' })).sandboxUrl ?? '').port;
    const free = await start();
    const freePort = new URL(free.sandboxUrl ?? '').port;
    await free.close();

    const failing = start({ PORT: new URL(url).port, SANDBOX_PORT: freePort });
    await expect(failing).rejects.toMatchObject({ name: 'StartError' });
    expect((await start({ SANDBOX_PORT: freePort })).sandboxUrl).toMatch(`:${freePort}`);
    await expect(start({ SANDBOX_PORT })).rejects.toMatchObject({
      name: 'StartError',
      message: expect.stringMatching(/ SANDBOX_PORT says which port it takes\.$/),
      cause: expect.any(Error),
    });
    await expect(start({ METRICS_PORT: SANDBOX_PORT })).rejects.toMatchObject({
      name: 'StartError',
      message: expect.stringMatching(/METRICS_PORT/),
    });
  });

  test('names the option that deletes the data of another version of the sandbox', async () => {
    const DATA_DIR = await openFolder();
    const file = new DatabaseSync(join(DATA_DIR, 'sandbox.sqlite'));
    file.exec("create table meta (key text, value); insert into meta values ('schema_version', 0)");
    file.close();

    await expect(start({ DATA_DIR })).rejects.toMatchObject({
      name: 'StartError',
      message: expect.stringMatching(/--reset to delete its data\.$/),
    });
  });
});

describe('a close', () => {
  test('leaves the journal in one file', async () => {
    const DATA_DIR = await openFolder();
    const { close } = await start({ DATA_DIR });
    const ofJournal = async () =>
      (await readdir(DATA_DIR)).filter((name) => name.startsWith('sandbox-journal.sqlite'));
    expect(await ofJournal()).toHaveLength(3);

    expect(await close()).toBe(true);

    expect(await ofJournal()).toEqual(['sandbox-journal.sqlite']);
  });

  test('serves requests during the delay, while it reports that it is stopping, and then none', async () => {
    const time = createGatewayClock();
    const { close, get } = await start({ STOP_DELAY_SECONDS: '2' }, { clock: time.clock });
    expect((await get('/health/serving')).status).toBe(200);

    const closed = close();
    await time.pass(1_999);
    const statuses = [await get('/health/serving'), await get('/health/live')];
    expect(statuses.map(({ status }) => status)).toEqual([503, 200]);

    expect(close()).toBe(closed);
    expect(await time.during(closed)).toBe(true);
    await expect(get('/health/live')).rejects.toThrow();
  });

  test('completes open subscriptions', async () => {
    const { url, sandboxUrl, close, lines } = await start();
    const headers = { 'content-type': 'application/json' };
    await fetch(`${sandboxUrl}/admin/latency`, {
      ...{ method: 'POST', headers, body: '{"perNameMs":100}' },
    });
    const stream = await openStream(url, {
      query:
        'subscription { searchDomains(labels: ["maple-stop"], first: 200) { availability { name } } }',
    });
    await stream.next();

    expect(await close()).toBe(true);
    const rest = await stream.rest();
    expect([rest.at(-1)?.event, rest.length < 150]).toEqual(['complete', true]);
    expect(lines.filter(({ level }) => level !== 'info')).toEqual([]);
  });

  test('disconnects clients whose requests do not end, and reports it', async () => {
    const time = createGatewayClock();
    const { env, called } = await startSlowUpstream();
    const { close, query, lines } = await start(
      { ...env, STOP_DELAY_SECONDS: '1' },
      { clock: time.clock, closeMs: 5_000 },
    );
    const pending = query('{ reseller { name } }').then(
      () => 'responded',
      () => 'disconnected',
    );
    await called();

    let isClosed = false;
    const closed = close().finally(() => {
      isClosed = true;
    });
    // A second of delay, three of drain, and a second for the rest.
    await time.pass(3_999);
    expect([isClosed, lines.filter(({ level }) => level === 'warn')]).toEqual([false, []]);
    await time.pass(1);

    expect(await pending).toBe('disconnected');
    expect(await time.during(closed)).toBe(true);
    expect(lines.filter(({ level }) => level === 'warn')).toHaveLength(1);
  });
});
