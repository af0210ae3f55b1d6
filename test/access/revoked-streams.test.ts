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
    await gateway.callUpstream('modifyprivacystatus', { domain: 'unlocked-demo.com', status });
    await time.pass(2_000);
  };
  await time.pass(2_000);
  return { gateway, time, setKeys, follow, change };
}

const all: readonly AccessScope[] = ['events:read', 'domains:read'];
const second: Keys = { second: ['events:read'] };

test.each<[string, Keys, string, number]>([
  ['was revoked', {}, 'UNAUTHENTICATED', 401],
  ['lost the scope of the stream', { first: ['domains:read'] }, 'FORBIDDEN', 200],
  ['lost another scope', { first: ['events:read'] }, 'FORBIDDEN', 200],
])(
  'the stream of a key that %s ends before its next event, and other streams continue',
  async (_how, changed, code, status) => {
    const { gateway, time, setKeys, follow, change } = await start({ first: all, ...second });
    const [stream, other] = [await follow('first'), await follow('second')];
    await change(true);
    const both = await time.during(Promise.all([stream.next(), other.next()]));
    expect(both).toMatchObject([event, event]);

    await setKeys({ ...changed, ...second });
    await time.pass(3_000);
    const now = await gateway.query('{ gateway { version } }', {}, by('first'));
    expect(now.status).toBe(status);

    const [refused, complete, ...more] = await stream.rest();
    expect(refused?.data).toMatchObject({ errors: [{ extensions: { code } }] });
    expect(refused?.data.data ?? null).toBeNull();
    expect(JSON.stringify(refused)).not.toContain('"http"');
    expect(complete).toEqual({ event: 'complete', data: null });
    expect(more).toEqual([]);
    await change(false);
    expect(await time.during(other.next())).toMatchObject(event);
  },
);
