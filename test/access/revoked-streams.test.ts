import { hash } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { makeKey } from '../../src/access/keyring.ts';
import type { AccessScope } from '../../src/kernel/caller.ts';
import { systemRandomBytes } from '../../src/lib/system.ts';
import { openStream } from '../support/event-stream.ts';
import { newFolder } from '../support/folder.ts';
import { startTestGateway } from '../support/gateway.ts';
import { createGatewayClock } from '../support/gateway-clock.ts';

const folder = await newFolder('revoked-streams');
afterAll(() => rm(folder, { recursive: true }));

const made = { first: makeKey(systemRandomBytes), second: makeKey(systemRandomBytes) };
type Name = keyof typeof made;
type Keys = Partial<Record<Name, readonly AccessScope[]>>;
const by = (name: Name) => ({ 'x-api-key': made[name].text });
/** The text of a file of these keys. */
const fileOf = (keys: Keys): string =>
  JSON.stringify(
    Object.fromEntries(
      (Object.keys(keys) as Name[]).map((name) => {
        const { prefix, text } = made[name];
        const sha256 = hash('sha256', text);
        return [name, { prefix, sha256, scopes: keys[name], made: '2026-01-01T00:00:00Z' }];
      }),
    ),
  );
const event = { event: 'next', data: { data: { events: { type: 'PRIVACY_CHANGED' } } } };

/** A gateway that compares the account every second and reads its keys from a file. */
async function start(keys: Keys) {
  const KEYS_FILE = join(folder, 'keys.json');
  const setKeys = (changed: Keys) => writeFile(KEYS_FILE, fileOf(changed));
  await setKeys(keys);
  const time = createGatewayClock();
  const gateway = time.withTime(
    await startTestGateway({
      ...{ sandboxDomains: 10, clock: time.clock },
      env: { KEYS_FILE, EVENTS_INTERVAL_SECONDS: '1' },
    }),
  );
  onTestFinished(() => gateway.close());
  const follow = async (name: Name) => {
    const query = 'subscription { events { type } }';
    const stream = await openStream(gateway.url, { query, headers: by(name) });
    onTestFinished(() => stream.hangUp());
    return stream;
  };
  /** Changes a domain behind the gateway, and lets time pass until the comparison after it. */
  const change = async (status: boolean) => {
    await fetch(`${gateway.sandboxUrl}/domain-api/?action=modifyprivacystatus`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        ...{ username: 'demo', password: 'demo-password' },
        ...{ domain: 'unlocked-demo.com', status },
      }),
    });
    await time.pass(2_000);
  };
  await time.pass(2_000);
  return { gateway, time, setKeys, follow, change };
}

test('the stream of a revoked key ends before its next event, and other streams continue', async () => {
  const second: Keys = { second: ['events:read'] };
  const { gateway, time, setKeys, follow, change } = await start({
    first: ['events:read', 'domains:read'],
    ...second,
  });
  const [revoked, other] = [await follow('first'), await follow('second')];
  await change(true);
  expect(await time.during(Promise.all([revoked.next(), other.next()]))).toMatchObject([
    event,
    event,
  ]);

  await setKeys(second);
  await time.pass(2_000);
  expect((await gateway.query('{ gateway { version } }', {}, by('first'))).status).toBe(401);
  await change(false);

  const [all, continued] = await time.during(Promise.all([revoked.rest(), other.next()]));
  const [refused, complete, ...more] = all;
  expect(refused?.data).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] });
  expect(refused?.data.data ?? null).toBeNull();
  expect(JSON.stringify(refused)).not.toContain('"http"');
  expect(complete).toEqual({ event: 'complete', data: null });
  expect(more).toEqual([]);
  expect(continued).toMatchObject(event);
});

test('the stream of a key that lost a scope ends before its next event', async () => {
  const { gateway, time, setKeys, follow, change } = await start({
    first: ['events:read', 'domains:read'],
  });
  const stream = await follow('first');
  await change(true);
  expect(await time.during(stream.next())).toMatchObject(event);

  await setKeys({ first: ['events:read'] });
  await time.pass(2_000);
  const { errors } = await gateway.query('{ domains(first: 1) { totalCount } }', {}, by('first'));
  expect(errors?.[0].extensions.code).toBe('FORBIDDEN');
  await change(false);

  expect((await time.during(stream.rest())).at(-2)?.data).toMatchObject({
    errors: [{ extensions: { code: 'FORBIDDEN' } }],
  });
});

test.each<[string, Keys, string]>([
  ['was revoked', {}, 'UNAUTHENTICATED'],
  ['lost a scope', { first: ['domains:read'] }, 'FORBIDDEN'],
])('the idle stream of a key that %s ends without an event', async (_how, changed, code) => {
  const second: Keys = { second: ['events:read'] };
  const { time, setKeys, follow, change } = await start({
    first: ['events:read', 'domains:read'],
    ...second,
  });
  const [stream, other] = [await follow('first'), await follow('second')];
  await change(true);
  expect(await time.during(Promise.all([stream.next(), other.next()]))).toMatchObject([
    event,
    event,
  ]);

  await setKeys({ ...changed, ...second });
  await time.pass(3_000);

  const [refused, complete, ...more] = await stream.rest();
  expect(refused?.data).toMatchObject({ errors: [{ extensions: { code } }] });
  expect(complete).toEqual({ event: 'complete', data: null });
  expect(more).toEqual([]);
  await change(false);
  expect(await time.during(other.next())).toMatchObject(event);
});
