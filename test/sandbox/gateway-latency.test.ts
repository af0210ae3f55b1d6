import { expect, onTestFinished, test } from 'vitest';
import { startTestGateway } from '../support/gateway.ts';

test('the gateway starts its sandbox with SANDBOX_LATENCY, which is realistic by default', async () => {
  const none = await startTestGateway({ sandboxDomains: 1 });
  const usual = await startTestGateway({ sandboxDomains: 1, env: { SANDBOX_LATENCY: undefined } });
  onTestFinished(async () => void (await Promise.all([none.close(), usual.close()])));

  expect(await none.admin('GET', '/latency')).toMatchObject({ perCallMs: 0, purchaseMs: 0 });
  expect(await usual.admin('GET', '/latency')).toEqual({
    perCallMs: 100,
    spreadMs: 200,
    perNameMs: 15,
    purchaseMs: 600,
  });
});
