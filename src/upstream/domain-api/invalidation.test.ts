import { expect, test } from 'vitest';
import { Fault } from '../../kernel/faults.ts';
import { CacheRevision } from '../../lib/lazy.ts';
import { systemClock } from '../../lib/system.ts';
import type { Operation } from '../client/operation.ts';
import type { DomainActions } from './client.ts';
import { createDomainApi, type DomainApi } from './domain-api.ts';
import { domainApi } from './operations.ts';

const rows: readonly (readonly [string, Operation])[] = Object.entries(domainApi);
const writes = rows.filter(([, { effect }]) => effect === 'write');

test('every write of the Domain API invalidates reads, the details of its domain among them', () => {
  expect(writes).toHaveLength(7);
  const all = rows.filter(([, { effect }]) => effect === 'read').map(([action]) => action);
  for (const [action, { invalidates = [] }] of writes) {
    expect(invalidates, action).toContain('getdetails');
    expect(invalidates, action).toContain('getdomainlist');
    expect(all, action).toEqual(expect.arrayContaining([...invalidates]));
  }
});

test('no read invalidates another one, and contacts and balances are never cached', () => {
  for (const [action, { effect, invalidates, cacheAs }] of rows) {
    if (effect === 'read') expect(invalidates, action).toBeUndefined();
    if (['getcontacts', 'resellerdetails'].includes(action)) {
      expect(cacheAs, action).toBeUndefined();
    }
  }
});

/** Each read of the domain that a client may request after a write of it. */
const reads: Readonly<Record<string, (api: DomainApi) => Promise<unknown>>> = {
  getdetails: (api) => api.getdetails({ domain: 'a.com' }, { shared: true }),
  getdomainlist: (api) => api.getdomainlist({}, { shared: true }),
  getcontacts: (api) => api.getcontacts({ domain: 'a.com' }, { shared: true }),
  singlecheckavailability: (api) => api.checkNames(['a.com'], { shared: true }),
  resellerdetails: (api) => api.resellerdetails({}, { shared: true }),
};
const ofDetails = ['getdetails', 'getdomainlist'];
const changed: Readonly<Record<string, readonly string[]>> = {
  registerdomain: Object.keys(reads),
  transferdomain: Object.keys(reads),
  modifynameserver: ofDetails,
  addchildnameserver: ofDetails,
  disabletheftlock: ofDetails,
  modifyprivacystatus: ofDetails,
  syncfromregistry: [...ofDetails, 'getcontacts'],
};

/** Calls that stay open, except for writes, which end with `end` or `fail`. */
function start() {
  const { promise: written, resolve, reject } = Promise.withResolvers<object>();
  const calls: string[] = [];
  const actions = Object.fromEntries(
    Object.keys(domainApi).map((action) => [
      action,
      (_request: object) => {
        calls.push(action);
        return action in changed ? written : new Promise(() => undefined);
      },
    ]),
  ) as unknown as DomainActions;
  const maxAges = { tldsMs: 0, domainsMs: 60_000, availabilityMs: 60_000 };
  const received: ((notice: object) => void)[] = [];
  const notices = { send: () => undefined, follow: (one: never) => received.push(one) };
  const clock = { ...systemClock, wait: () => systemClock.wait(0) };
  const options = { clock, revision: new CacheRevision(), maxAges, notices };
  const api = createDomainApi(actions, options as unknown as Parameters<typeof createDomainApi>[1]);
  const begin = async (read: string) => {
    void reads[read]?.(api);
    for (let turn = 0; turn < 3; turn += 1) await clock.wait();
    return calls.filter((action) => action === read).length;
  };
  const write = (action: string): Promise<unknown> =>
    (api as unknown as Record<string, (request: object, how: object) => Promise<unknown>>)[
      action
    ]?.({ domain: 'a.com' }, {}) ?? Promise.reject();
  return { begin, write, end: resolve, fail: reject, receive: received[0] };
}

test.each(Object.entries(changed))(
  'a read that begins after %s, here or at another replica, joins no call from before its end',
  async (action, names) => {
    for (const read of names) {
      const { begin, write, end, fail, receive } = start();
      expect([await begin(read), await begin(read)], read).toEqual([1, 1]);

      const written = write(action);
      expect(await begin(read), read).toBe(2);
      if (read === 'getdetails') fail(new Fault('UPSTREAM_TIMEOUT'));
      else end({});
      await written.catch(() => undefined);
      expect(await begin(read), read).toBe(3);
      receive?.({ kind: 'write', action, domain: 'a.com' });
      expect(await begin(read), read).toBe(4);
    }
  },
);

test('details of a domain are no longer cached once a read has found no such domain', async () => {
  let isOwned = true;
  let calls = 0;
  const getdetails = async () => {
    calls += 1;
    if (!isOwned) throw new Fault('NOT_FOUND');
    return { name: 'a.com' };
  };
  const api = createDomainApi({ getdetails } as unknown as DomainActions, {
    ...{ clock: systemClock, revision: new CacheRevision(), notices: null },
    maxAges: { tldsMs: 0, domainsMs: 60_000, availabilityMs: 0 },
  });
  const read = (shared: boolean) =>
    api.getdetails({ domain: 'a.com' }, { shared }).catch((error: Fault) => error.code);
  await read(true);
  await read(true);
  expect(calls).toBe(1);

  isOwned = false;
  expect(await read(false)).toBe('NOT_FOUND');

  expect(await read(true)).toBe('NOT_FOUND');
});
