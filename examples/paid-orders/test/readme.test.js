import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../../test/support/free-port.ts';
import { startTestGateway } from '../../../test/support/gateway.ts';
import { bareEnvironment } from '../../../test/support/process.ts';

const folder = new URL('../', import.meta.url);
const readme = readFileSync(new URL('README.md', folder), 'utf8');
const [, , place, pay] = [...readme.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, text]) => text);

/** The server with these settings. */
function start(env) {
  const child = spawn(process.execPath, ['server.js'], {
    cwd: folder,
    env: { ...bareEnvironment, ...env },
  });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  });
  return child;
}

test('the commands of the README pay an order, and its domains are bought', async () => {
  const gateway = await startTestGateway();
  onTestFinished(() => gateway.close());
  const port = await freePort();
  const server = start({ PORT: String(port), GATEWAY_URL: gateway.url });
  let printed = '';
  server.stdout.on('data', (chunk) => {
    printed += chunk;
  });
  await expect.poll(() => printed).toContain(`Taking payments at http://127.0.0.1:${port}`);
  const run = async (command, order = '') => {
    const text = command
      .replace('http://127.0.0.1:4000', gateway.url)
      .replace('127.0.0.1:4200', `127.0.0.1:${port}`)
      .replace('…', order);
    return JSON.parse((await promisify(execFile)('sh', ['-c', text])).stdout);
  };

  const { order, errors } = (await run(place)).data.placeOrder;
  expect(errors).toEqual([]);
  const result = await run(pay, order.id);

  expect(readme).toContain(`\`\`\`json\n{ "state": "PAID" }\n`);
  expect(result).toEqual({ state: 'PAID' });
  const document = 'query ($id: ID!) { order(by: { id: $id }) { state } }';
  const read = async () => (await gateway.query(document, { id: order.id })).data.order.state;
  await expect.poll(read).toBe('SUCCEEDED');
});

test.each([
  [{ STRIPE_SECRET_KEY: 'sk_test_1' }, 'Set STRIPE_WEBHOOK_SECRET'],
  [{ CAPTURE: 'later' }, 'CAPTURE must be charge or authorize.'],
])('with %o the server does not start', async (env, sentence) => {
  const server = start(env);
  const [[exitCode], text] = await Promise.all([
    once(server, 'exit'),
    server.stderr.setEncoding('utf8').toArray(),
  ]);

  expect(exitCode).toBe(1);
  expect(text.join('')).toContain(sentence);
});
