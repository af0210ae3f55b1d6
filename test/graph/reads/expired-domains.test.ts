import { afterAll, expect, test } from 'vitest';
import { dayMs } from '../../../src/kernel/instant.ts';
import { systemClock } from '../../../src/lib/system.ts';
import { startTestGateway } from '../../support/gateway.ts';
import { read } from './reads.ts';

let aheadMs = 0;
const now = () => new Date(systemClock.now().getTime() + aheadMs);
const gateway = await startTestGateway({
  sandboxDomains: 60,
  clock: { ...systemClock, now },
  // One list serves the whole test: time passes over cached rows.
  env: { DOMAIN_MAX_AGE_SECONDS: '3600' },
});
afterAll(() => gateway.close());

test('an expired domain is EXPIRED although its upstream status is hold or active', async () => {
  const { hold, grace, redemption } = await read(
    gateway,
    `{
      hold: domain(name: "hold-demo.com") { status state }
      grace: domain(name: "grace-demo.com") { status state }
      redemption: domain(name: "redemption-demo.com") { state }
    }`,
  );

  expect(hold).toEqual({ status: 'PendingHold', state: 'EXPIRED' });
  expect(grace).toEqual({ status: 'Active', state: 'EXPIRED' });
  expect(redemption).toEqual({ state: 'REDEMPTION' });
});

test('a cached list shows a domain as EXPIRED from the moment it expires', async () => {
  const send = async () => {
    const { active, expired, stats } = await read(
      gateway,
      `{
        active: domains(first: 100, filter: { states: [ACTIVE] }) { nodes { name state expiresAt } }
        expired: domains(first: 100, filter: { states: [EXPIRED] }) { nodes { name state } }
        stats: domainStats { byState { state count } }
      }`,
    );
    const countOf = (wanted: string) =>
      stats.byState.find(({ state }: { state: string }) => state === wanted)?.count ?? 0;
    expect(countOf('ACTIVE')).toBe(active.nodes.length);
    expect(countOf('EXPIRED')).toBe(expired.nodes.length);
    for (const { state } of active.nodes) expect(state).toBe('ACTIVE');
    for (const { state } of expired.nodes) expect(state).toBe('EXPIRED');
    return { active: active.nodes, expired: expired.nodes };
  };

  const before = await send();
  await gateway.resetCalls();
  aheadMs = 60 * dayMs;
  const after = await send();

  const expiring = before.active.filter(
    ({ expiresAt }: { expiresAt: string | null }) => expiresAt && new Date(expiresAt) <= now(),
  );
  expect(expiring.length).toBeGreaterThan(0);
  expect(after.active).toHaveLength(before.active.length - expiring.length);
  expect(after.expired.length).toBeGreaterThanOrEqual(before.expired.length + expiring.length);
  expect(await gateway.upstreamCalls()).toEqual([]);
});
