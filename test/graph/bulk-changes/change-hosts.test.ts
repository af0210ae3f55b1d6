import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiKeysOf, by } from '../../access/keys.ts';
import type { Payload, Shop } from '../purchases/shop.ts';
import {
  cancelChange,
  changeDomains,
  codesOf,
  itemOf,
  namesIn,
  openChangeShop,
  openRestartableShop,
  preview,
  retryChange,
  runChange,
  waitForJob,
} from './change-shop.ts';

let shop: Shop;
let names: readonly string[];
beforeAll(async () => {
  shop = await openChangeShop({ sandboxDomains: 60, sandboxListSize: 0 });
  const active = await namesIn(shop, ['ACTIVE']);
  names = active.filter((name) => /^(?!.*demo).*\.com$/.test(name));
});
afterAll(() => shop?.close());

const numbered = (count: number) => Array.from({ length: count }, (_, at) => `ns${at}.a.net`);
const setByHand = (domain: string, hosts: readonly string[]) =>
  shop.gateway.callUpstream('modifynameserver', {
    domain,
    nameservers: Object.fromEntries(hosts.map((host, at) => [`ns${at + 1}`, host])),
  });
const setEach = async (lists: readonly (readonly string[])[]) => {
  for (const [at, hosts] of lists.entries()) await setByHand(names[at] ?? '', hosts);
  return names.slice(0, lists.length);
};
const hostsOf = async (name: string) => (await shop.rows(name))[0].nameServers;
const outcomesOf = ({ items }: Payload) => items.map(({ state }: Payload) => state);

describe('one name server', () => {
  test('is replaced where it is, in any spelling, and the other hosts stay in their order', async () => {
    const lists = [
      ['ns9.other.net', 'ns1.old.net', 'ns2.old.net'],
      ['ns1.new.net', 'ns1.old.net', 'ns2.old.net'],
      ['ns2.old.net', 'ns3.old.net'],
    ];
    const some = await setEach(lists);
    const replaceNameServer = { from: ' NS1.Old.NET.', to: 'ns1.new.net' };

    const job = await runChange(shop, { names: some, change: { replaceNameServer } });
    const calls = await shop.gateway.countCalls();
    const again = await runChange(shop, { names: some, change: { replaceNameServer } });

    expect(outcomesOf(job)).toEqual(['SUCCEEDED', 'SUCCEEDED', 'UNCHANGED']);
    expect(job.items.map(({ before }: Payload) => before.nameServers)).toEqual(lists);
    const after = [
      ['ns9.other.net', 'ns1.new.net', 'ns2.old.net'],
      ['ns1.new.net', 'ns2.old.net'],
      ['ns2.old.net', 'ns3.old.net'],
    ];
    expect(job.items.map((item: Payload) => item.after.nameServers)).toEqual(after);
    expect(await Promise.all(some.map(hostsOf))).toEqual(after);
    expect(calls).toEqual({ getdetails: 3, modifynameserver: 2 });
    expect(job.change).toMatchObject({
      replaceNameServer: { from: 'ns1.old.net', to: 'ns1.new.net' },
      setNameServers: null,
    });
    expect(outcomesOf(again)).toEqual(['UNCHANGED', 'UNCHANGED', 'UNCHANGED']);
  });

  test('is not replaced by the only other one, which the preview counts', async () => {
    const [domain = ''] = await setEach([['ns1.new.net', 'ns1.old.net']]);
    const change = { replaceNameServer: { from: 'ns1.old.net', to: 'ns1.new.net' } };

    const seen = await preview(shop, { names: [domain], change });
    const job = await runChange(shop, { names: [domain], change });

    expect(seen).toMatchObject({ count: 1, refused: 1, refusals: [{ state: null, count: 1 }] });
    expect(outcomesOf(job)).toEqual(['FAILED']);
    expect(codesOf(job.items[0])).toEqual(['NOT_ELIGIBLE']);
    expect(await shop.gateway.countCalls()).toEqual({ getdetails: 1 });
  });

  test('is added and removed, and a domain that would have none or 14 is FAILED without a call', async () => {
    const some = await setEach([['ns1.a.net', 'x.b.net'], ['x.b.net'], numbered(13), numbered(12)]);

    const removed = await runChange(shop, {
      names: some,
      change: { removeNameServer: 'X.b.net' },
    });
    const calls = await shop.gateway.countCalls();
    const added = await runChange(shop, { names: some, change: { addNameServer: 'x.b.net.' } });

    expect(outcomesOf(removed)).toEqual(['SUCCEEDED', 'FAILED', 'UNCHANGED', 'UNCHANGED']);
    expect(removed.items[1]).toMatchObject({
      before: { nameServers: ['x.b.net'] },
      after: null,
      errors: [
        {
          code: 'NOT_ELIGIBLE',
          executed: 'NO',
          path: null,
          message:
            'The domain would have 0 name servers, and a domain has 1 to 13; nothing was sent for it.',
        },
      ],
    });
    expect(calls).toEqual({ getdetails: 4, modifynameserver: 1 });
    expect(outcomesOf(added)).toEqual(['SUCCEEDED', 'UNCHANGED', 'FAILED', 'SUCCEEDED']);
    expect(codesOf(added.items[2])).toEqual(['NOT_ELIGIBLE']);
    expect(await shop.gateway.countCalls()).toEqual({ getdetails: 4, modifynameserver: 2 });
    expect(await hostsOf(some[3] ?? '')).toEqual([...numbered(12), 'x.b.net']);
  });

  test('is computed from the domain as it is, not from the list or a cached row', async () => {
    const cached = await openChangeShop({ env: { DOMAIN_MAX_AGE_SECONDS: '3600' } });
    const domain = 'unlocked-demo.com';
    try {
      const seen = await preview(cached, {
        names: [domain],
        change: { addNameServer: 'c.net.net' },
      });
      await cached.gateway.query(`{ domain(name: "${domain}") { nameServers } }`);
      await cached.gateway.callUpstream('modifynameserver', {
        ...{ domain, nameservers: { ns1: 'ns1.by-hand.net', ns2: 'ns2.by-hand.net' } },
      });

      const job = await runChange(cached, {
        names: [domain],
        change: { replaceNameServer: { from: 'ns2.by-hand.net', to: 'ns2.moved.net' } },
      });

      expect(seen.sample[0].after.nameServers).toHaveLength(3);
      expect(job.items[0].after.nameServers).toEqual(['ns1.by-hand.net', 'ns2.moved.net']);
    } finally {
      await cached.close();
    }
  });

  test('and its effect are in the preview, with the domains that would be refused', async () => {
    const some = await setEach([['ns1.a.net', 'x.b.net'], ['x.b.net'], ['ns1.a.net']]);

    const seen = await preview(shop, {
      names: [...some, 'not-ours-at-all.com'],
      change: { removeNameServer: 'x.b.net' },
    });

    expect(seen).toMatchObject({ count: 4, unchanged: 1, refused: 1, errors: [] });
    expect(seen.sample).toMatchObject([
      { before: { nameServers: ['ns1.a.net', 'x.b.net'] }, after: { nameServers: ['ns1.a.net'] } },
      { before: { nameServers: ['x.b.net'] }, after: null },
      { before: { nameServers: ['ns1.a.net'] }, after: { nameServers: ['ns1.a.net'] } },
      { before: null, after: null },
    ]);
    expect(await shop.gateway.countCalls()).toEqual({ getdomainlist: 1 });
  });
});

describe('a target per domain', () => {
  const itemsOf = (some: readonly string[]) =>
    some.map((domain, at) => ({ domain, nameServers: [`ns${at}.target.net`, 'ns.target.net'] }));

  test('is set with one read and one write each, and sent back undoes itself', async () => {
    const some = await setEach([
      ['ns1.a.net', 'ns2.a.net'],
      ['ns1.b.net'],
      ['ns.target.net', 'NS2.target.net'],
    ]);
    const items = itemsOf(some).map((item) => ({
      ...item,
      domain: `${item.domain.toUpperCase()}.`,
    }));

    const seen = await preview(shop, { change: { items } });
    const job = await runChange(shop, { expectedCount: 3, change: { items } });
    const calls = await shop.gateway.countCalls();
    const undo = job.items.map(({ domainName, before }: Payload) => ({
      domain: domainName,
      nameServers: before.nameServers,
    }));
    const undone = await runChange(shop, { expectedCount: 3, change: { items: undo } });

    expect(seen).toMatchObject({ count: 3, unchanged: 1, refused: 0 });
    expect(seen.sample[0].after.nameServers).toEqual(items[0]?.nameServers);
    expect(outcomesOf(job)).toEqual(['SUCCEEDED', 'SUCCEEDED', 'UNCHANGED']);
    expect(job.change).toMatchObject({ items: true, setNameServers: null });
    expect(job.items.map(({ target }: Payload) => target)).toEqual(
      items.map(({ nameServers }) => nameServers),
    );
    expect(calls).toEqual({ getdetails: 3, modifynameserver: 2 });
    expect(outcomesOf(undone)).toEqual(['SUCCEEDED', 'SUCCEEDED', 'UNCHANGED']);
    expect(await hostsOf(some[1] ?? '')).toEqual(['ns1.b.net']);
  });

  test('is the same bulk change with the same key, and another one with another target', async () => {
    const items = itemsOf(await setEach([['ns1.a.net']]));
    const input = { idempotencyKey: 'targets', expectedCount: 1, change: { items } };
    const { id } = await runChange(shop, input);

    const again = await changeDomains(shop, input);
    const other = await changeDomains(shop, {
      ...input,
      change: { items: [{ ...items[0], nameServers: ['ns.elsewhere.net'] }] },
    });

    expect(again).toMatchObject({ replayed: true, bulkChange: { id } });
    expect(codesOf(other)).toEqual(['IDEMPOTENCY_CONFLICT']);
    expect(await shop.gateway.countCalls()).toEqual({});
  });

  test('remains after a failure, a cancellation and a restart, so that a retry sets it', async () => {
    const restartable = await openRestartableShop({ env: { JOB_CONCURRENCY: '1' } });
    const items = itemsOf(['unlocked-demo.com', 'private-demo.net', 'expiring-demo.com']);
    try {
      await restartable.arm('code', { action: 'modifynameserver', code: 'API_2303_ERROR' });
      await restartable.arm('hold-before', { action: 'modifynameserver', after: 1 });
      const created = await changeDomains(restartable, { expectedCount: 3, change: { items } });
      const { id } = created.bulkChange;
      await waitForJob(restartable, id, ({ items: [, second] }) => second.before !== null);
      await cancelChange(restartable, id);
      await restartable.gateway.admin('DELETE', '/faults');
      await restartable.gateway.admin('POST', '/release', {});
      const ended = await waitForJob(restartable, id);
      await restartable.gateway.restart();
      await retryChange(restartable, id);
      const job = await waitForJob(restartable, id);

      expect(outcomesOf(ended)).toEqual(['FAILED', 'SUCCEEDED', 'CANCELLED']);
      expect(ended.items[0].errors).toMatchObject([
        { path: ['input', 'change', 'items', '0', 'nameServers'] },
      ]);
      expect(outcomesOf(job)).toEqual(['SUCCEEDED', 'SUCCEEDED', 'SUCCEEDED']);
      for (const { domain, nameServers } of items) {
        expect(itemOf(job, domain).after.nameServers).toEqual(nameServers);
      }
    } finally {
      await restartable.close();
    }
  });

  const two = (second: object) => [{ domain: 'a.com', nameServers: ['ns1.a.net'] }, second];
  test.each([
    [
      'a domain twice',
      { change: { items: two({ domain: 'A.com.', nameServers: ['b.net.net'] }) } },
      ['items', '1', 'domain'],
      'a.com is at position 0 of "items" already.',
    ],
    [
      'text that is no domain',
      { change: { items: two({ domain: 'x y', nameServers: ['b.net.net'] }) } },
      ['items', '1', 'domain'],
      'invisible',
    ],
    [
      'a host that is no name',
      { change: { items: two({ domain: 'b.com', nameServers: ['ns1.a.net', '-', '_'] }) } },
      ['items', '1', 'nameServers', '1'],
      '"-"',
    ],
    [
      'no host',
      { change: { items: two({ domain: 'b.com', nameServers: [] }) } },
      ['items', '1', 'nameServers'],
      '0 were given',
    ],
    ['no item', { change: { items: [] } }, ['items'], '"items" has 0.'],
    [
      'too many items',
      {
        change: {
          items: Array.from({ length: 2001 }, (_, at) => ({
            domain: `a${at}.com`,
            nameServers: ['b.net.net'],
          })),
        },
      },
      ['items'],
      '"items" has 2001.',
    ],
    [
      'one host for another and itself',
      { names: ['a.com'], change: { replaceNameServer: { from: 'a.net.net', to: 'A.net.net.' } } },
      ['replaceNameServer', 'to'],
      'must be different',
    ],
    [
      'an addition of no name',
      { names: ['a.com'], change: { addNameServer: 'a b' } },
      ['addNameServer'],
      'invisible',
    ],
    [
      'a removal of no name',
      { names: ['a.com'], change: { removeNameServer: '' } },
      ['removeNameServer'],
      'must not be empty',
    ],
    [
      'a replacement of no name',
      { names: ['a.com'], change: { replaceNameServer: { from: 'x', to: 'a.net.net' } } },
      ['replaceNameServer', 'from'],
      'no TLD',
    ],
    [
      'unlock: false',
      { names: ['a.com'], change: { unlock: false } },
      ['unlock'],
      '"unlock" must be true.',
    ],
  ])('%s is refused before any call', async (_what, input, path, message) => {
    const { bulkChange, errors } = await changeDomains(shop, { expectedCount: 2, ...input });

    expect(bulkChange).toBeNull();
    expect(errors).toMatchObject([
      {
        code: 'INVALID_INPUT',
        path: ['input', 'change', ...path],
        message: expect.stringContaining(message),
      },
    ]);
    expect(await shop.gateway.countCalls()).toEqual({});
  });

  test('both hosts of a replacement are reported when neither is a name', async () => {
    const change = { replaceNameServer: { from: 'x', to: '' } };

    const { errors } = await changeDomains(shop, { names: ['a.com'], change });

    expect(errors.map(({ path }: Payload) => path.slice(2))).toEqual([
      ['replaceNameServer', 'from'],
      ['replaceNameServer', 'to'],
    ]);
  });

  test('with names, a filter or another number of domains is refused', async () => {
    const change = { items: two({ domain: 'b.com', nameServers: ['ns1.a.net'] }) };

    const inputs = [{ names: ['a.com'] }, { filter: {} }, { expectedCount: 3 }];
    for (const input of inputs) {
      const { errors } = await changeDomains(shop, { expectedCount: 2, change, ...input });
      const path = 'expectedCount' in input ? ['input', 'expectedCount'] : ['input'];
      expect(errors).toMatchObject([{ code: 'INVALID_INPUT', path }]);
    }
    const seen = await preview(shop, { names: ['a.com'], change });
    expect(seen.errors[0].message).toBe(
      'The domains are those of "items"; send neither "names" nor "filter".',
    );
    expect(await shop.gateway.countCalls()).toEqual({});
  });
});

describe('transfer locks', () => {
  test('are removed with one read and one call, and a domain without one costs the read', async () => {
    const job = await runChange(shop, {
      names: ['reseller-demo.com', 'unlocked-demo.com'],
      change: { unlock: true },
    });

    expect(outcomesOf(job)).toEqual(['SUCCEEDED', 'UNCHANGED']);
    expect(job.items[0]).toMatchObject({
      before: { transferLocked: true },
      after: { transferLocked: false },
    });
    expect(await shop.gateway.countCalls()).toEqual({ getdetails: 2, disabletheftlock: 1 });
    expect((await shop.rows('reseller-demo.com'))[0].locked).toBe(false);
  });

  test('need the scope domains:unlock', async () => {
    const keys = apiKeysOf({
      writer: ['domains:write', 'domains:read'],
      opener: ['domains:write', 'domains:unlock'],
    });
    const guarded = await openChangeShop({ env: { API_KEYS: keys } });
    const input = { names: ['reseller-demo.com'], change: { unlock: true } };
    try {
      const refused = await changeDomains(guarded, input, by('writer'));
      const document =
        '{ previewBulkChange(names: ["reseller-demo.com"], change: { unlock: true }) { errors { code path } } }';
      const seen = await guarded.gateway.query(document, {}, by('writer'));
      const calls = await guarded.gateway.countCalls();
      const allowed = await changeDomains(guarded, input, by('opener'));

      expect(refused.errors).toMatchObject([
        { code: 'FORBIDDEN', path: ['input', 'change', 'unlock'] },
      ]);
      expect(seen.data.previewBulkChange.errors).toEqual([
        { code: 'FORBIDDEN', path: ['change', 'unlock'] },
      ]);
      expect(calls).toEqual({});
      expect(allowed).toMatchObject({ bulkChange: { state: 'RUNNING' }, errors: [] });
    } finally {
      await guarded.close();
    }
  });
});
