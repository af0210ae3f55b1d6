import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createGateway, type Gateway } from '../../src/package/index.ts';
import { openStream } from '../support/event-stream.ts';
import { newFolder } from '../support/folder.ts';
import { whyNotShort } from '../support/long.ts';
import { because } from '../support/skipped.ts';

/** Express has a folder of its own, because only this test needs it. */
const folder = join(import.meta.dirname, 'express');
const isInstalled = existsSync(join(folder, 'node_modules', 'express'));
const why = whyNotShort ?? (isInstalled ? null : 'run "npm ci" in test/package/express');

describe.skipIf(why)(`in Express${because(why)}`, () => {
  let gateway: Gateway;
  let url: string;
  const started = new AsyncDisposableStack();

  beforeAll(async () => {
    const file = createRequire(join(folder, 'package.json')).resolve('express');
    const { default: express } = await import(file);
    const dataFolder = await newFolder('express');
    gateway = await createGateway(
      { SANDBOX_PORT: 0, SANDBOX_LATENCY: 'none', DATA_DIR: dataFolder },
      { log: () => undefined },
    );
    started.defer(async () => void (await gateway.close()));
    const app = express();
    app.use('/api', gateway.nodeHandler);
    app.use(express.json());
    const server = app.listen(0, '127.0.0.1');
    started.defer(() => void server.close());
    await new Promise((resolve) => server.once('listening', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
  });
  afterAll(() => started.disposeAsync());

  test('a query below the path of the mount', async () => {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ availability(name: "maple-harbor.com") { state } }' }),
    });

    expect(await response.json()).toMatchObject({ data: { availability: { state: 'AVAILABLE' } } });
  });

  test('a subscription', async () => {
    const stream = await openStream(url, {
      query:
        'subscription { searchDomains(labels: ["maple-harbor"], tlds: ["com", "net"]) { availability { name } } }',
    });

    const events = await stream.rest();

    expect(events.map(({ event }) => event)).toEqual(['next', 'next', 'complete']);
  });

  test('an export', async () => {
    const response = await fetch(`${url}/export/domains.csv`);

    expect(await response.text()).toMatch(/^name,[^\n]+\r\n\S/);
  });
});
