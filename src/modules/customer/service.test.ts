import { expect, test } from 'vitest';
import { partOf } from '../../../test/support/with-parts.ts';
import type { DomainName } from '../../kernel/domain-name.ts';
import { StoredReads } from '../../scope/reads.ts';
import { customers } from './service.ts';

test('the customers of a page are one statement, and its labels are another', async () => {
  const statements: string[] = [];
  const read = (what: string) => async (_account: string, domains: readonly DomainName[]) => {
    statements.push(`${what} of ${domains.length}`);
    return domains.slice(1).map((domain) => ({ domain, customer: 'acme', name: 'x', value: '1' }));
  };
  const stored = new StoredReads({ monotonicMs: () => 0, wait: async () => undefined });
  const journal = { customers: { of: read('customers'), labels: read('labels') } };
  const service = partOf(customers, {}, { tenant: { journal, account: 'a' }, stored });
  const names = Array.from({ length: 100 }, (_, at) => `name-${at}.com` as DomainName);

  const found = await Promise.all(names.map(service.customerOf));
  expect(statements).toEqual(['customers of 100']);
  expect(found).toEqual([null, ...Array(99).fill('acme')]);

  const labels = await Promise.all(names.map(service.labelsOf));
  expect(statements).toEqual(['customers of 100', 'labels of 100']);
  expect(labels.slice(0, 2)).toMatchObject([[], [{ name: 'x', value: '1' }]]);
});
