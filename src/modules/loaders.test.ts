import { expect, test } from 'vitest';
import { auditedLines } from '../../test/support/no-audit.ts';
import { noLedger } from '../../test/support/no-ledger.ts';
import { plainQuotes } from '../../test/support/plain-quotes.ts';
import { parseDomainName } from '../kernel/domain-name.ts';
import { CacheRevision } from '../lib/cache-revision.ts';
import { systemClock } from '../lib/system.ts';
import type { DomainApi } from '../upstream/domain-api/domain-api.ts';
import { IdnRefusals } from './availability/check.ts';
import { Loaders } from './loaders.ts';
import { createSnapshot } from './portfolio/snapshot.ts';

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
  const clock = systemClock;
  const snapshot = createSnapshot({
    ...{ api: domainApi, clock, revision: new CacheRevision(), maxAgeMs: 0 },
    ledger: noLedger,
  });
  const audited = auditedLines(() => undefined);
  const idnRefusals = new IdnRefusals(clock);
  const loaders = new Loaders(
    { domainApi, snapshot, idnRefusals, quotes: plainQuotes },
    () => ({}),
    audited,
  );
  return { loaders, calls };
}

test.each<[string, string, (loaders: Loaders, of: typeof name) => Promise<unknown>]>([
  ['details', 'getdetails', ({ domains }, of) => domains.load(of)],
  ['uncached details', 'getdetails', ({ domains }, of) => domains.uncached(of)],
  ['details that verify a write', 'getdetails', ({ domains }, of) => domains.verify(of)],
  ['list of domains', 'getdomainlist', ({ domains }) => domains.list()],
  ['refreshed list of domains', 'getdomainlist', ({ domains }) => domains.refreshedList()],
  ['contacts', 'getcontacts', ({ contacts }, of) => contacts.load(of)],
  ['balance', 'resellerdetails', ({ reseller }) => reseller()],
])(
  'a request reads the %s once, and again after a write of the domain',
  async (_what, action, read) => {
    const { loaders, calls } = start();
    await read(loaders, name);
    await read(loaders, other);
    await read(loaders, name);
    expect(calls).toEqual([action]);

    loaders.invalidate(name);
    await read(loaders, name);
    await read(loaders, other);

    expect(calls).toEqual([action, action]);
  },
);
