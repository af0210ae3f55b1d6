import { expect, test } from 'vitest';
import { partOf } from '../../../test/support/with-parts.ts';
import { systemClock } from '../../lib/system.ts';
import { auditLog } from './service.ts';
import type { AuditPage } from './store.ts';

test.each([0, 1, 99, 100, 101, 250])('all of %i entries are read, newest first', async (count) => {
  const positions = Array.from({ length: count }, (_, at) => count - at);
  const store = {
    list: async (_account: string, { after = Infinity, limit }: AuditPage) =>
      positions
        .filter((position) => position < after)
        .slice(0, limit)
        .map((position) => ({ position })),
  };
  const parts = { openAuditTrail: { settled: async () => undefined } };
  const tenant = { account: 'acme', clock: systemClock };
  const service = partOf(auditLog, parts, { tenant, store: () => store });
  const read: number[] = [];
  for await (const { position } of service.all()) read.push(position);

  expect(read).toEqual(positions);
});
