import { describe, expect, test } from 'vitest';
import type { CallOptions } from '../upstream/client/operation.ts';
import { type Fill, fill } from './parts.ts';
import { perReads, Reads } from './reads.ts';
import { given, perTenant, signal, Tenant, type TenantFacts, tenantHook } from './tenant.ts';

const createTenant = (...fills: readonly Fill[]) =>
  new Tenant({ account: 'reseller-1' } as TenantFacts, fills);

describe('a tenant', () => {
  test('closes its own parts in the reverse order of their creation, also when one of them fails', async () => {
    const closed: string[] = [];
    const closing = (name: string, error?: Error) => ({
      async close(): Promise<void> {
        closed.push(name);
        if (error) throw error;
      },
    });
    const low = perTenant('low', () => closing('low'));
    const high = perTenant('high', ({ use }) => {
      use(low);
      return closing('high', new Error('It is stuck.'));
    });
    const idle = perTenant('idle', () => ({ name: 'idle' }));
    const provided = given<object>('provided');
    const tenant = createTenant().provide(provided, closing('provided'));
    tenant.use(high);
    tenant.use(idle);

    await expect(tenant.close()).rejects.toThrow('It is stuck.');
    expect(closed).toEqual(['high', 'low']);
  });

  test('names the part that the gateway does not provide', () => {
    expect(() => createTenant().use(given('prices'))).toThrow('The gateway provides no "prices".');
  });

  test('has the default of a hook that no capability fills', () => {
    const log = tenantHook('log', () => 'default');
    const trail = tenantHook('trail', () => 'default');
    const tenant = createTenant(fill(log, ({ facts }) => facts.account));

    expect([log, trail].map(tenant.use)).toEqual(['reseller-1', 'default']);
    expect(createTenant().use(log)).toBe('default');
  });

  test('reports to each listener after the end of the one before', async () => {
    const changed = signal<string>('changed');
    const [tenant, other] = [createTenant(), createTenant()];
    const reports: string[] = [];
    const stored = Promise.withResolvers<void>();
    tenant
      .use(changed)
      .listen((value) => stored.promise.then(() => reports.push(`stored ${value}`)));
    tenant.use(changed).listen((value) => reports.push(`sent ${value}`));
    other.use(changed).listen(() => reports.push('another tenant'));

    const reported = tenant.use(changed).emit('a');
    stored.resolve();
    await reported;

    expect(reports).toEqual(['stored a', 'sent a']);
  });
});

test('a write invalidates the reads that depend on it, and `forget` discards all', () => {
  let created = 0;
  const list = perReads(
    'list',
    () => ({ names: [`list ${++created}`] }),
    (part) => void part.names.pop(),
  );
  const prices = perReads('prices', () => ({ id: ++created }));
  const reads = new Reads(createTenant(), {
    options: (): CallOptions => ({}),
    ...{ recorder: {} as Reads['recorder'], view: null, knowsCosts: true },
  });
  const before = reads.use(prices);
  expect(reads.use(list).names).toHaveLength(1);

  reads.invalidate('example.com' as Parameters<Reads['invalidate']>[0]);

  expect(reads.use(list).names).toEqual([]);
  expect(reads.use(prices)).toBe(before);
  reads.forget();
  expect(reads.use(prices)).not.toBe(before);
});
