import { expect, onTestFinished, test } from 'vitest';
import { whyNotShort } from '../support/long.ts';
import { startWebhookReceiver, verifies } from '../support/webhook-receiver.ts';
import { openDeployment, sendQuery } from './deployment.ts';

test.skipIf(whyNotShort)(
  'a gateway that is killed between a request and its commit sends the event again, with the same id',
  {
    tags: ['W3'],
  },
  async () => {
    const deployment = await openDeployment({
      databaseUrl: null,
      env: { EVENTS_INTERVAL_SECONDS: '1', WEBHOOKS_ALLOW_PRIVATE: 'true' },
    });
    onTestFinished(() => deployment.close());
    const receiver = await startWebhookReceiver();
    onTestFinished(() => receiver.close());
    const first = await deployment.start();
    const query = `mutation { createWebhook(input: { url: "${receiver.url}" }) { secret errors { message } } }`;
    const { secret } = (await sendQuery(first, query)).createWebhook;
    // The first comparison only stores the states.
    await expect
      .poll(() => deployment.countCalls('getdomainlist'), { timeout: 20_000 })
      .toBeGreaterThan(1);
    const response = Promise.withResolvers<number>();
    receiver.onRequest(() => response.promise);
    const change = 'input: { domain: "private-demo.net", privacyProtected: false }';
    await sendQuery(first, `mutation { setPrivacyProtection(${change}) { errors { message } } }`);
    await expect.poll(() => receiver.received.length, { timeout: 20_000 }).toBe(1);
    await first.kill();
    response.resolve(204);
    receiver.onRequest(() => 204);

    // The lease of the killed process is valid for half a minute.
    await deployment.statement('update webhooks set lease_owner = null');
    await deployment.start();

    await expect.poll(() => receiver.received.length, { timeout: 20_000 }).toBe(2);
    const [before, after] = receiver.received;
    expect(after?.id).toBe(before?.id);
    expect(after?.body).toBe(before?.body);
    expect(after && verifies(secret, after)).toBe(true);
  },
);
