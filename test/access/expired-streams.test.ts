import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { expect, onTestFinished, test } from 'vitest';
import { openStream } from '../support/event-stream.ts';
import { newFolder } from '../support/folder.ts';
import { startWatched } from '../support/watched-gateway.ts';

/** Short, because each stream looks for events every second. */
const intervalMs = 20_000;
const issuer = 'https://login.example';

/** A gateway that compares the account every twenty seconds of a simulated time, and a function that signs tokens for it. */
async function start() {
  const folder = await newFolder('expired-streams');
  onTestFinished(() => rm(folder, { recursive: true }));
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const file = join(folder, 'jwks.json');
  const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256' };
  await writeFile(file, JSON.stringify({ keys: [jwk] }));
  const issuers = [
    { name: 'login', issuer, audience: ['graph'], algorithms: ['ES256'], jwks: file },
  ];
  const watched = await startWatched({
    env: {
      JWT_ISSUERS: JSON.stringify(issuers),
      EVENTS_INTERVAL_SECONDS: String(intervalMs / 1_000),
    },
  });
  const nowMs = watched.time.clock.now().getTime();
  const follow = async (validMs: number) => {
    const exp = Math.floor((nowMs + validMs) / 1000);
    const token = await new SignJWT({ iss: issuer, aud: 'graph', exp, scope: 'events:read' })
      .setProtectedHeader({ alg: 'ES256', kid: 'one' })
      .setSubject('ada')
      .sign(privateKey);
    const stream = await openStream(watched.gateway.url, {
      query: 'subscription { events { type } }',
      headers: { authorization: `Bearer ${token}` },
    });
    onTestFinished(() => stream.hangUp());
    return stream;
  };
  return { ...watched, follow };
}

test('the stream of a token ends before the first event after its expiry', async () => {
  const { time, write, follow } = await start();
  const [short, long] = [await follow(1.5 * intervalMs), await follow(10 * intervalMs)];
  const event = { event: 'next', data: { data: { events: { type: 'PRIVACY_CHANGED' } } } };

  await write('modifyprivacystatus', { domain: 'private-demo.net', status: false });
  await time.pass(intervalMs);
  expect([await short.next(), await long.next()]).toMatchObject([event, event]);
  await write('modifyprivacystatus', { domain: 'private-demo.net', status: true });
  await time.pass(intervalMs);

  const [refused, complete] = await short.rest();
  expect(refused?.data).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] });
  expect(refused?.data.data ?? null).toBeNull();
  expect(complete).toEqual({ event: 'complete', data: null });
  expect(await long.next()).toMatchObject(event);
});
