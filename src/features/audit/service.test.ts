import { expect, test } from 'vitest';
import { systemClock } from '../../lib/system.ts';
import { createAuditService } from './service.ts';
import type { AuditPage, AuditStore } from './store.ts';

test.each([0, 1, 99, 100, 101, 250])('all of %i entries are read, newest first', async (count) => {
  const positions = Array.from({ length: count }, (_, at) => count - at);
  const store = {
    list: async (_account: string, { after = Infinity, limit }: AuditPage) =>
      positions
        .filter((position) => position < after)
        .slice(0, limit)
        .map((position) => ({ position })),
  };
  const service = createAuditService({
    clock: systemClock,
    ...{
      account: 'acme',
      operationTrail: { settled: async () => undefined },
      store: store as unknown as AuditStore,
    },
  });
  const read: number[] = [];
  for await (const { position } of service.all()) read.push(position);

  expect(read).toEqual(positions);
});
