import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { openStream } from '../support/event-stream.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { runCommand } from '../support/process.ts';

const folder = await mkdtemp(join(tmpdir(), 'revoked-streams-'));
afterAll(() => rm(folder, { recursive: true }));

/** A gateway that compares the account every second, and the command that changes its keys. */
async function start(name: string) {
  const KEYS_FILE = join(folder, name);
  const keys = async (...words: readonly string[]) => {
    const { stdout } = await runCommand('cli/keys', { KEYS_FILE }, words);
    return stdout.trim();
  };
  const made = [
    await keys('make', 'first', '--scopes', 'events:read,domains:read'),
    await keys('make', 'second', '--scopes', 'events:read'),
  ] as const;
  const gateway = await startTestGateway({
    sandboxDomains: 10,
    env: { KEYS_FILE, EVENTS_INTERVAL_SECONDS: '1' },
  });
  onTestFinished(() => gateway.close());
  return { gateway, keys, made, file: KEYS_FILE };
}

async function follow({ url }: TestGateway, key: string) {
  const query = 'subscription { events { type } }';
  const stream = await openStream(url, { query, headers: { 'x-api-key': key } });
  onTestFinished(() => stream.hangUp());
  return stream;
}

/** Changes a domain behind the gateway until each stream has received a result. */
async function changeUntil(gateway: TestGateway, received: Promise<unknown>): Promise<void> {
  let isOver = false;
  void received.then(() => {
    isOver = true;
  });
  for (let status = true; !isOver; status = !status) {
    await fetch(`${gateway.sandboxUrl}/domain-api/?action=modifyprivacystatus`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        ...{ username: 'demo', password: 'demo-password' },
        ...{ domain: 'unlocked-demo.com', status },
      }),
    });
    await new Promise((resolve) => setTimeout(resolve, 1_200));
  }
}

const statusOf = async ({ query }: TestGateway, key: string, document: string) =>
  (await query(document, {}, { 'x-api-key': key })).status;

test('the stream of a revoked key ends before its next event, and other streams continue', async () => {
  const { gateway, keys, made } = await start('revoked.json');
  const [first, second] = [await follow(gateway, made[0]), await follow(gateway, made[1])];
  const both = Promise.all([first.next(), second.next()]);
  await changeUntil(gateway, both);
  const event = { event: 'next', data: { data: { events: { type: 'PRIVACY_CHANGED' } } } };
  expect(await both).toMatchObject([event, event]);

  await keys('revoke', 'first');
  await expect
    .poll(() => statusOf(gateway, made[0], '{ gateway { version } }'), { timeout: 30_000 })
    .toBe(401);
  const after = Promise.all([first.rest(), second.next()]);
  await changeUntil(gateway, after);

  const [all, continued] = await after;
  const [refused, complete] = all.slice(-2);
  expect(refused?.data).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] });
  expect(refused?.data.data ?? null).toBeNull();
  expect(JSON.stringify(refused)).not.toContain('"http"');
  expect(complete).toEqual({ event: 'complete', data: null });
  expect(continued).toMatchObject(event);
});

test('the stream of a key that lost a scope ends before its next event', async () => {
  const { gateway, made, file } = await start('reduced.json');
  const stream = await follow(gateway, made[0]);
  const first = stream.next();
  await changeUntil(gateway, first);

  await writeFile(
    file,
    (await readFile(file, 'utf8')).replace(/"domains:read",?\s*|,\s*"domains:read"/, ''),
  );
  const document = '{ domains(first: 1) { totalCount } }';
  const codeNow = async () => {
    const { errors } = await gateway.query(document, {}, { 'x-api-key': made[0] });
    return errors?.[0].extensions.code;
  };
  await expect.poll(codeNow, { timeout: 30_000 }).toBe('FORBIDDEN');
  const rest = stream.rest();
  await changeUntil(gateway, rest);

  expect((await rest).at(-2)?.data).toMatchObject({
    errors: [{ extensions: { code: 'FORBIDDEN' } }],
  });
});
