import { expect, test } from 'vitest';
import { recordedLines } from '../../../test/support/no-recorder.ts';
import { parseDomainName } from '../../kernel/domain-name.ts';
import { CacheRevision } from '../../lib/lazy.ts';
import { systemClock } from '../../lib/system.ts';
import { CustomerView } from '../../scope/customer-view.ts';
import { Reads } from '../../scope/reads.ts';
import { Tenant, type TenantFacts } from '../../scope/tenant.ts';
import type { CallOptions } from '../../upstream/client/operation.ts';
import type { DomainDetails } from '../../upstream/domain-api/shapes.ts';
import { domainLists } from './lists.ts';

const [a, b, c] = ['a.com', 'b.com', 'c.com'].map(parseDomainName) as [never, never, never];

const row = (name: string, upstreamId: number, state = 'ACTIVE') =>
  ({ name, upstreamId, state, expiresAt: null, registeredAt: null }) as unknown as DomainDetails;

/** A tenant whose list of domains no capability provides. `own` has the names of the customer of the caller. */
function start(
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
  const { lists, calls } = start([row(a, 1), row(b, 2)], { totalCount: 3 });
  const list = await lists.list();

  expect([a, b, c].map((name) => list.find(name)?.upstreamId ?? null)).toEqual([1, 2, null]);
  expect(list.isListComplete).toBe(false);
  expect(lists.listedAt()).toBe(list.asOf);
  await lists.refreshed();
  expect(calls.map(({ shared }) => shared)).toEqual([true, false]);
});

test('of two rows of a domain the list has the one that the account has', async () => {
  const { lists } = start([row(a, 3, 'DELETED'), row(a, 1), row(b, 1), row(b, 2)]);
  const { find, isListComplete } = await lists.list();

  expect([a, b].map((name) => find(name)?.upstreamId)).toEqual([1, 2]);
  expect(isListComplete).toBe(true);
});

test('a caller of a customer has the rows of its domains', async () => {
  const { lists } = start([row(a, 1), row(b, 2)], { own: [b] as never });
  const { find, lastRead } = await lists.list();

  expect([find(a), lastRead(a), find(b)?.upstreamId]).toEqual([null, null, 2]);
});
