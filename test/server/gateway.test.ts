import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startGateway } from '../../src/app/compose.ts';
import { readConfig } from '../../src/app/read-config.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { requestPaths } from '../support/request-paths.ts';

describe.each(requestPaths)('on %s', (_name, way) => {
  describe('the whole gateway', () => {
    const directory = mkdtempSync(join(tmpdir(), 'reseller-graph-second-'));
    let gateway: TestGateway;
    beforeAll(async () => {
      gateway = await startTestGateway({ ...way, sandboxDomains: 40 });
    });
    afterAll(async () => {
      await gateway?.close();
      rmSync(directory, { recursive: true });
    });

    test('executes a query and reports its upstream calls', async () => {
      const { data, errors, extensions } = await gateway.query('{ __typename }');

      expect(errors).toBeUndefined();
      expect(data).toEqual({ __typename: 'Query' });
      expect(extensions.upstream.calls).toBe(0);
    });

    test('is ready', async () => {
      expect((await fetch(`${gateway.url}/health/ready`)).status).toBe(200);
    });

    test('receives the calls that the sandbox counts', async () => {
      await gateway.resetCalls();
      await gateway.callUpstream('resellerdetails', {});

      expect(await gateway.countCalls()).toEqual({ resellerdetails: 1 });
      expect(await gateway.upstreamCalls()).toMatchObject([
        { action: 'resellerdetails', status: 200 },
      ]);
    });

    test('restarts with the same files', async () => {
      await gateway.restart();

      expect((await gateway.query('{ __typename }')).status).toBe(200);
    });

    test('a port in use fails the start with one sentence and leaves nothing running', async () => {
      const port = new URL(gateway.url).port;
      const config = readConfig({ PORT: port, SANDBOX_PORT: '0', DATA_DIR: directory });

      await expect(startGateway(config)).rejects.toThrow(
        `Port ${port} of 127.0.0.1 is taken; set PORT to another one, or to 0 for any free one.`,
      );
    });

    test('a sandbox port in use fails the start with one sentence', async () => {
      const port = new URL(gateway.sandboxUrl).port;
      const config = readConfig({ PORT: '0', SANDBOX_PORT: port, DATA_DIR: directory });

      await expect(startGateway(config)).rejects.toThrow(/SANDBOX_PORT says which port/);
    });
  });
});
