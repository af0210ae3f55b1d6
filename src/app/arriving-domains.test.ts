import { expect, test } from 'vitest';
import type { CallOptions } from '../upstream/client/operation.ts';
import type { DomainActions } from '../upstream/domain-api/client.ts';
import { withArrivingDomains } from './arriving-domains.ts';

/** The digests of an equal row, of one list after the other, while these domains have an open transfer. */
async function digestsWhile(...arriving: readonly (readonly string[])[]): Promise<string[]> {
  let open: readonly string[] = [];
  const listing = {
    async getdomainlist(_request: object, { rowSink }: CallOptions) {
      rowSink?.takeKnown('same bytes');
      return { domains: [], totalCount: 0 };
    },
  } as unknown as DomainActions;
  const journal = { openTransfers: async () => open } as never;
  const { getdomainlist } = withArrivingDomains(listing, { journal, account: 'reseller-1' });
  const digests: string[] = [];
  const rowSink = {
    begin: () => undefined,
    takeKnown: (digest: string) => digests.push(digest) > 0,
    take: () => undefined,
  };
  for (open of arriving) await getdomainlist({}, { rowSink });
  return digests;
}

test('a row of equal bytes is another state while other domains arrive, also when their number is the same', async () => {
  const [one, other, both, sameBoth, none] = await digestsWhile(
    ['one.com'],
    ['other.com'],
    ['one.com', 'other.com'],
    ['other.com', 'one.com'],
    [],
  );

  expect(new Set([one, other, both, none]).size).toBe(4);
  expect([sameBoth, none]).toEqual([both, 'same bytes']);
});
