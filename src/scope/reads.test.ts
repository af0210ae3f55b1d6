import { expect, test } from 'vitest';
import { recordedLines } from '../../test/support/no-recorder.ts';
import { parseDomainName } from '../kernel/domain-name.ts';
import { CacheRevision } from '../lib/lazy.ts';
import { systemClock } from '../lib/system.ts';
import { resellerRead } from '../modules/balance/balance.ts';
import { contactReads } from '../modules/contact/loader.ts';
import { domainLists, domainReads } from '../modules/domain/loader.ts';
import type { DomainApi } from '../upstream/domain-api/domain-api.ts';
import { Reads, StoredReads } from './reads.ts';
import { Tenant, type TenantFacts } from './tenant.ts';

const name = parseDomainName('example.com');
const other = parseDomainName('example.net');

function start() {
  const calls: string[] = [];
  const replyWith = (action: string, reply: object) => async (request: { domain?: string }) => {
    if (request.domain !== other) calls.push(action);
    return { name: request.domain, ...reply };
  };
  const domainApi = {
    getdetails: replyWith('getdetails', {}),
    getdomainlist: replyWith('getdomainlist', { domains: [], totalCount: 0 }),
    getcontacts: replyWith('getcontacts', {}),
    resellerdetails: replyWith('resellerdetails', {}),
  } as unknown as DomainApi;
  const facts = { domainApi, clock: systemClock, revision: new CacheRevision() };
  const tenant = new Tenant(facts as TenantFacts);
  const recorder = recordedLines(() => undefined);
  const reads = new Reads(tenant, { options: () => ({}), recorder, view: null, knowsCosts: true });
  return { reads, calls };
}

test.each<[string, string, (reads: Reads, of: typeof name) => Promise<unknown>]>([
  ['details', 'getdetails', ({ use }, of) => use(domainReads).load(of)],
  ['uncached details', 'getdetails', ({ use }, of) => use(domainReads).uncached(of)],
  ['details that verify a write', 'getdetails', ({ use }, of) => use(domainReads).verify(of)],
  ['list of domains', 'getdomainlist', ({ use }) => use(domainLists).list()],
  ['refreshed list of domains', 'getdomainlist', ({ use }) => use(domainLists).refreshed()],
  ['contacts', 'getcontacts', ({ use }, of) => use(contactReads).load(of)],
  ['balance', 'resellerdetails', ({ use }) => use(resellerRead)()],
])(
  'a request reads the %s once, and again after a write of the domain',
  async (_what, action, read) => {
    const { reads, calls } = start();
    await read(reads, name);
    await read(reads, other);
    await read(reads, name);
    expect(calls).toEqual([action]);

    reads.invalidate(name);
    await read(reads, name);
    await read(reads, other);

    expect(calls).toEqual([action, action]);
  },
);

test('the filters of a document read at most 5,000,000 rows, and those of the next update of a stream too', () => {
  const stored = new StoredReads({ monotonicMs: () => 0, wait: async () => undefined });
  const count = (slices: number) => {
    for (let slice = 0; slice < slices; slice += 1) stored.countSlice();
  };

  count(5_000);
  expect(() => count(1)).toThrow(
    expect.objectContaining({
      code: 'COST_LIMIT_EXCEEDED',
      message: expect.stringContaining('more than 5,000,000 rows of stored lists'),
    }),
  );
  stored.forget();
  expect(() => count(5_000)).not.toThrow();
});
