import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../../sandbox/server.ts';
import { systemClock, systemRandomness } from '../../../src/lib/system.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { errorFields, operationFields, order } from './shop.ts';

let sandbox: Sandbox;
let front: Server;
let gateway: TestGateway;
/** After the reply to this action the server no longer listens. */
let lastAction: string | null = null;
let received: string[] = [];

beforeAll(async () => {
  const time = { clock: systemClock, randomness: systemRandomness };
  sandbox = await startSandbox({ file: ':memory:', domains: 40, ...time });
  front = createServer(async (request, response) => {
    const action = new URL(request.url ?? '', 'http://front').searchParams.get('action') ?? '';
    received.push(action);
    const reply = await fetch(`${sandbox.domainApiUrl}?action=${action}`, {
      method: 'POST',
      body: await text(request),
    });
    const replyText = await reply.text();
    if (action === lastAction) {
      front.close();
      response.once('finish', () => front.closeAllConnections());
    }
    response.writeHead(reply.status, { 'content-type': 'application/json' }).end(replyText);
  });
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
  const { port } = front.address() as AddressInfo;
  const env = {
    DOMAIN_API_URL: `http://127.0.0.1:${port}/domain-api`,
    UPSTREAM_TIMEOUT_MS: '3000',
  };
  gateway = await startTestGateway({ env });
});
afterEach(() => {
  received = [];
});
afterAll(async () => {
  await gateway?.close();
  front?.closeAllConnections();
  await sandbox?.close();
});

const register = async (domain: string) => {
  const { data } = await gateway.query(
    /* GraphQL */ `mutation ($input: RegisterDomainInput!) { registerDomain(input: $input) {
      purchase { ${operationFields} } errors { ${errorFields} } } }`,
    { input: order({ domain, idempotencyKey: domain }) },
  );
  return data.registerDomain;
};

test('a purchase is FAILED without a debit when the upstream cannot be reached for the call', async () => {
  lastAction = 'resellerdetails';

  const made = await register('never-handed-over.com');

  expect(received).not.toContain('registerdomain');
  const error = { __typename: 'UpstreamUnavailable', code: 'UPSTREAM_UNAVAILABLE', executed: 'NO' };
  expect(made.purchase).toMatchObject({ state: 'FAILED', error });
  expect(made.errors).toMatchObject([error]);
});

test('an unreachable upstream causes no claim, and earlier purchases can be read', async () => {
  const { purchase, errors } = await register('no-listener.com');

  expect(purchase).toBeNull();
  expect(errors.length).toBeGreaterThan(0);
  for (const { code, executed } of errors) {
    expect([code, executed]).toEqual(['UPSTREAM_UNAVAILABLE', 'NO']);
  }
  const { data } = await gateway.query('{ purchases { nodes { domainName state } } }');
  expect(data.purchases.nodes).toEqual([{ domainName: 'never-handed-over.com', state: 'FAILED' }]);
});
