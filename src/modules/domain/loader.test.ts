import { describe, expect, test } from 'vitest';
import { recordedLines } from '../../../test/support/no-recorder.ts';
import { parseDomainName } from '../../kernel/domain-name.ts';
import { Fault, notCached } from '../../kernel/faults.ts';
import { CacheRevision } from '../../lib/lazy.ts';
import { systemClock } from '../../lib/system.ts';
import { CustomerView } from '../../scope/customer-view.ts';
import { Reads } from '../../scope/reads.ts';
import { Tenant, type TenantFacts } from '../../scope/tenant.ts';
import type { CallOptions } from '../../upstream/client/operation.ts';
import type { DomainApi } from '../../upstream/domain-api/domain-api.ts';
import type { DomainDetails } from '../../upstream/domain-api/shapes.ts';
import { createDomainLists, createDomainReads, type DomainList, domainLists } from './loader.ts';

const names = ['a.com', 'b.com', 'c.com', 'd.com', 'e.com', 'f.com'].map(parseDomainName);
const [a, b] = names as [(typeof names)[0], (typeof names)[0]];
const row = (name: string, source: string) =>
  ({
    name,
    status: source,
    authCode: source === 'list' ? notCached : 'secret',
  }) as unknown as DomainDetails;

/** An account with all names but the last. The list leaves out the first, unless it is complete. */
function start({ complete = true, failing = [] as readonly string[] } = {}) {
  const options = { requestId: 'one', shared: true };
  const calls: [what: string, options: CallOptions][] = [];
  const failure = new Fault('UPSTREAM_UNAVAILABLE');
  const listed = names.slice(complete ? 0 : 1, -1);
  let replyName: string | null | undefined;
  const list = (how: string) => async () => {
    calls.push([how, options]);
    if (failing.includes('list')) throw failure;
    const find = (name: string) => (listed.includes(name as never) ? row(name, 'list') : null);
    return { isListComplete: complete, find } as unknown as DomainList;
  };
  const api = {
    async getdetails({ domain }: { domain: string }, options: CallOptions) {
      calls.push([domain, options]);
      if (failing.includes(domain)) throw failure;
      if (domain === names.at(-1)) throw new Fault('NOT_FOUND');
      return row(replyName === undefined ? domain : (replyName as string), 'details');
    },
  } as unknown as DomainApi;
  const lists = createDomainLists(list('list'), list('refreshed'));
  return {
    ...{ reads: createDomainReads(api, lists, options), lists, options, failure, failing },
    calls: () => calls.splice(0).map(([what]) => what),
    lastOptions: () => calls.at(-1)?.[1],
    replyAbout(name: string | null): void {
      replyName = name;
    },
  };
}
const sources = (details: readonly (DomainDetails | null)[]) =>
  details.map((one) => one?.status ?? null);

describe('the domains of a request', () => {
  test('are read by name when they are four, and from the list when they are five', async () => {
    const { reads, calls } = start();
    expect(sources(await Promise.all(reads.loadMany(names.slice(0, 4))))).toEqual(
      Array(4).fill('details'),
    );
    expect(calls()).toEqual(names.slice(0, 4));

    const other = start();
    expect(sources(await Promise.all(other.reads.loadMany(names.slice(0, 5))))).toEqual(
      Array(5).fill('list'),
    );
    expect(other.calls()).toEqual(['list']);
  });

  test('are read from the list when the request has it', async () => {
    const { reads, lists, calls } = start();
    await lists.list();

    expect(sources([await reads.load(a)])).toEqual(['list']);
    expect(calls()).toEqual(['list']);
  });

  test('that a complete list leaves out are not in the account', async () => {
    const { reads, calls } = start();

    expect(sources(await Promise.all(reads.loadMany(names)))[5]).toBeNull();
    expect(calls()).toEqual(['list']);
  });

  test('that an incomplete list leaves out are read by name', async () => {
    const { reads, calls } = start({ complete: false });

    expect(sources(await Promise.all(reads.loadMany(names)))).toEqual([
      ...['details', 'list', 'list', 'list', 'list', null],
    ]);
    expect(calls()).toEqual(['list', names[0], names[5]]);
  });

  test('are read by name when the list fails', async () => {
    const { reads, calls } = start({ failing: ['list'] });

    expect(sources(await Promise.all(reads.loadMany(names.slice(0, 5))))).toEqual(
      Array(5).fill('details'),
    );
    expect(calls()).toHaveLength(6);
  });

  test('fail one by one', async () => {
    const { reads, failure } = start({ failing: [a] });

    expect(await Promise.allSettled(reads.loadMany([a, b]))).toMatchObject([
      { status: 'rejected', reason: failure },
      { status: 'fulfilled', value: { name: b } },
    ]);
  });

  test('come from the refreshed list after a refresh', async () => {
    const { lists, calls } = start();
    await lists.refreshed();
    await lists.list();

    expect(calls()).toEqual(['refreshed']);
  });
});

describe('a read that bypasses the cache', () => {
  test('is shared with no other request, and serves the later reads of this one', async () => {
    const { reads, lists, calls, lastOptions, options } = start();
    await lists.list();

    await reads.uncached(a);
    expect(lastOptions()).toEqual({ ...options, shared: false });
    expect(sources([await reads.uncached(a), await reads.load(a)])).toEqual(['details', 'details']);
    expect(calls()).toEqual(['list', a]);
  });

  test('is urgent when it verifies a write, and then not the same read', async () => {
    const { reads, calls, lastOptions, options } = start();
    await reads.uncached(a);
    await reads.verify(a);
    await reads.verify(a);

    expect(lastOptions()).toEqual({ ...options, shared: false, urgent: true });
    expect(calls()).toEqual([a, a]);
  });

  test('is made with the options of the write that it verifies', async () => {
    const { reads, lastOptions } = start();
    await reads.verify(a, { requestId: 'two' });

    expect(lastOptions()).toEqual({ requestId: 'two', shared: false, urgent: true });
  });

  test('is made again after it failed', async () => {
    const { reads, calls, failure } = start({ failing: [a] });
    await expect(reads.uncached(a)).rejects.toBe(failure);
    await expect(reads.uncached(a)).rejects.toBe(failure);

    expect(calls()).toEqual([a, a]);
  });
});

describe('the auth code', () => {
  test('of a cached row is read, and that of another row is not', async () => {
    const { reads, calls } = start();

    expect(await reads.authCode(row(a, 'list'))).toBe('secret');
    expect(calls()).toEqual([a]);
    expect(await reads.authCode(row(b, 'details'))).toBe('secret');
    expect(calls()).toEqual([]);
  });

  test('of a domain that the account no longer has is null', async () => {
    const { reads } = start();

    expect(await reads.authCode(row('f.com', 'list'))).toBeNull();
  });
});

test('a write invalidates every read of its domain', async () => {
  const { reads, calls } = start();
  const readAll = async () => {
    await reads.load(a);
    await reads.uncached(b);
    await reads.verify(b);
    return calls();
  };
  const first = await readAll();
  expect(await readAll()).toEqual([]);

  reads.invalidate(a);
  reads.invalidate(b);

  expect(await readAll()).toEqual(first);
});

describe('details', () => {
  test.each(['b.com', null])('of another domain are refused: %s', async (name) => {
    const { reads, replyAbout } = start();
    replyAbout(name);

    await expect(reads.load(a)).rejects.toMatchObject({
      ...{ code: 'UPSTREAM_PROTOCOL', executed: 'NO' },
    });
  });
});

const listRow = (name: string, upstreamId: number, state = 'ACTIVE') =>
  ({ name, upstreamId, state, expiresAt: null, registeredAt: null }) as unknown as DomainDetails;

/** A tenant whose list of domains no capability provides. `own` has the names of the customer of the caller. */
function startLists(
  rows: readonly DomainDetails[],
  { totalCount = rows.length, own = null as never } = {},
) {
  const calls: CallOptions[] = [];
  const facts = {
    ...{ clock: systemClock, revision: new CacheRevision(), account: 'one' },
    domainApi: {
      async getdomainlist(_request: object, options: CallOptions) {
        calls.push(options);
        return { domains: rows, totalCount };
      },
    },
    journal: { customers: { domains: async () => own } },
  } as unknown as TenantFacts;
  const { use } = new Reads(new Tenant(facts), {
    options: () => ({ shared: true }),
    recorder: recordedLines(() => undefined),
    view: own === null ? null : new CustomerView(facts, 'acme'),
    knowsCosts: true,
  });
  return { lists: use(domainLists), calls };
}

test('without another capability a request has the list of the upstream', async () => {
  const { lists, calls } = startLists([listRow(a, 1), listRow(b, 2)], { totalCount: 3 });
  const list = await lists.list();

  expect(names.slice(0, 3).map((name) => list.find(name)?.upstreamId ?? null)).toEqual([
    1,
    2,
    null,
  ]);
  expect(list.isListComplete).toBe(false);
  expect(lists.listedAt()).toBe(list.asOf);
  await lists.refreshed();
  expect(calls.map(({ shared }) => shared)).toEqual([true, false]);
});

test('of two rows of a domain the list has the one that the account has', async () => {
  const { lists } = startLists([
    listRow(a, 3, 'DELETED'),
    listRow(a, 1),
    listRow(b, 1),
    listRow(b, 2),
  ]);
  const { find, isListComplete } = await lists.list();

  expect([a, b].map((name) => find(name)?.upstreamId)).toEqual([1, 2]);
  expect(isListComplete).toBe(true);
});

test('a caller of a customer has the rows of its domains', async () => {
  const { lists } = startLists([listRow(a, 1), listRow(b, 2)], { own: [b] as never });
  const { find, lastRead } = await lists.list();

  expect([find(a), lastRead(a), find(b)?.upstreamId]).toEqual([null, null, 2]);
});
