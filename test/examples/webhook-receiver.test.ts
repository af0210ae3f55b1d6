import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { startTestGateway } from '../support/gateway.ts';
import { bareEnvironment } from '../support/process.ts';

const folder = new URL('../../examples/webhook-receiver/', import.meta.url);
const readme = readFileSync(new URL('README.md', folder), 'utf8');
const { scripts } = JSON.parse(readFileSync(new URL('package.json', folder), 'utf8'));

/** The commands of the README, in their order. */
const [startGateway = '', create = '', startReceiver = '', change = ''] = [
  ...readme.matchAll(/```sh\n([\s\S]*?)```/g),
].map(([, commands = '']) => commands);

/** A gateway with the settings of the README, and its commands for other ports. */
async function start() {
  const settings = Object.fromEntries(
    [...startGateway.matchAll(/([A-Z_]+)=(\S+)/g)].map(([, name, value]) => [name, value]),
  );
  expect(settings).toHaveProperty('WEBHOOKS_ALLOW_PRIVATE', 'true');
  const gateway = await startTestGateway({
    env: { ...settings, EVENTS_INTERVAL_SECONDS: '1' },
  });
  onTestFinished(() => gateway.close());
  const port = await freePort();
  const run = async (command: string) => {
    const text = command
      .replace('http://127.0.0.1:4000', gateway.url)
      .replace('127.0.0.1:4100', `127.0.0.1:${port}`);
    const { stdout } = await promisify(execFile)('sh', ['-c', text]);
    return JSON.parse(stdout);
  };
  /** The receiver with a secret, and its output so far. */
  const receive = async (secret: string) => {
    const [, ...words] = scripts.start.split(' ');
    const env = { ...bareEnvironment, WEBHOOK_SECRET: secret, PORT: String(port) };
    const [, ...args] = words;
    const child = spawn(process.execPath, args, { cwd: folder, env });
    onTestFinished(async () => {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    });
    let printed = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        printed += chunk;
      });
    }
    await expect.poll(() => printed).toContain('Receiving webhooks at');
    return () => printed;
  };
  return { gateway, port, run, receive };
}

test('the commands of its README deliver an event, which the receiver verifies and prints once', async () => {
  expect(startReceiver).toContain('WEBHOOK_SECRET=whsec_… npm start');
  const { gateway, port, run, receive } = await start();
  const { data } = await run(create);
  const { secret, errors } = data.createWebhook;
  expect(errors).toEqual([]);
  const printed = await receive(secret);
  const url = `http://127.0.0.1:${port}/`;
  // The first comparison only stores the states.
  await expect
    .poll(async () => (await gateway.countCalls()).getdomainlist ?? 0, { timeout: 20_000 })
    .toBeGreaterThan(1);

  await run(change);

  const line = 'PRIVACY_CHANGED private-demo.net true -> false';
  await expect.poll(printed, { timeout: 20_000 }).toContain(line);
  const webhooks = '{ webhooks { id deliveries { eventId status } } }';
  const read = async () => (await gateway.query(webhooks)).data.webhooks[0];
  // The gateway stores the delivery after the response of the receiver.
  await expect.poll(async () => (await read()).deliveries.length).toBe(1);
  const webhook = await read();
  const again = await gateway.query(
    `mutation ($input: RedeliverWebhookEventInput!) { redeliverWebhookEvent(input: $input) { delivery { status } } }`,
    { input: { id: webhook.id, eventId: webhook.deliveries[0].eventId } },
  );
  expect(again.data.redeliverWebhookEvent.delivery).toEqual({ status: 204 });
  expect(printed().split(line)).toHaveLength(2);

  const headers = { 'webhook-id': 'x', 'webhook-timestamp': '1', 'webhook-signature': 'v1,AAAA' };
  const forged = await fetch(url, { method: 'POST', headers, body: '{}' });
  expect(forged.status).toBe(400);
  expect((await fetch(url)).status).toBe(405);
  const long = await fetch(url, { method: 'POST', headers, body: 'x'.repeat(1024 * 1024 + 1) });
  expect(long.status).toBe(413);
});

test('the receiver refuses to start without a secret', async () => {
  const child = spawn(process.execPath, ['receiver.js'], { cwd: folder, env: bareEnvironment });
  const [exitCode] = await once(child, 'exit');

  expect(exitCode).toBe(1);
});
