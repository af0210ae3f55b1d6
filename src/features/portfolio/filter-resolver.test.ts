import { expect, test } from 'vitest';
import { partOf } from '../../../test/support/with-parts.ts';
import type { DomainName } from '../../kernel/domain-name.ts';
import { StoredReads } from '../../scope/reads.ts';
import { filterResolver } from './filter-resolver.ts';

/** Resolves filters over a journal whose customer, and whose labels, have this number of domains. */
function createResolver(count: number) {
  const pageOf = (prefix: string, after: DomainName | null, limit: number) => {
    const from = after === null ? 0 : Number(after.slice(prefix.length, -4)) + 1;
    const size = Math.max(0, Math.min(limit, count - from));
    return Array.from({ length: size }, (_, at) => `${prefix}${from + at}.com` as DomainName);
  };
  type Read = (
    account: string,
    of: string | { readonly name: string },
    after: DomainName | null,
    limit: number,
  ) => Promise<readonly DomainName[]>;
  const read: Read = async (_account, of, after, limit) =>
    pageOf(typeof of === 'string' ? of : of.name, after, limit);
  const stored = new StoredReads({ monotonicMs: () => 0, wait: async () => undefined });
  const journal = { customers: { domains: read, labelled: read } };
  return partOf(filterResolver, {}, { tenant: { journal, account: 'reseller-1' }, stored });
}

test('a filter by customer and labels has all of their domains, also of more than one read', async () => {
  const count = 10_001;
  const resolve = createResolver(count);

  const filter = await resolve({
    customer: 'acme',
    labels: [{ name: 'vip' }],
    eitherLabels: [[{ name: 'one' }, { name: 'two' }]],
    contains: 'a',
  });

  expect(filter).toMatchObject({ contains: 'a' });
  const sizes = filter?.among?.map((names) => new Set(names).size);
  expect(sizes?.toSorted()).toEqual([count, count, 2 * count].toSorted());
});

test('a filter without customer and labels reads nothing', async () => {
  expect(await createResolver(1)({ contains: 'a' })).toEqual({ contains: 'a' });
});
