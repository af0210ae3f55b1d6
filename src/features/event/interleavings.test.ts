import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../test/support/long.ts';
import { a, b, c } from '../../../test/support/modules/event-rows.ts';
import { createFates, fates } from '../../../test/support/modules/fates.ts';
import { secondMs } from '../../../test/support/simulated-clock.ts';
import type { EventRecord } from './log.ts';
import { createAccount, intervalMs, leaseMs } from './test/account.ts';

const names = [a, b, c];
const steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ change: fc.constantFrom(...names) }) },
    { weight: 4, arbitrary: fc.record({ write: fc.constantFrom(...names) }) },
    { weight: 1, arbitrary: fc.record({ remove: fc.constantFrom(...names) }) },
    { weight: 4, arbitrary: fc.record({ intervals: fc.integer({ min: 1, max: 4 }) }) },
    {
      weight: 4,
      arbitrary: fc.record({
        replica: fc.integer({ min: 0, max: 1 }),
        calls: fc.integer({ min: 1, max: 8 }),
        fate: fc.constantFrom(...fates),
      }),
    },
    { weight: 2, arbitrary: fc.record({ resume: fc.integer({ min: 0, max: 1 }) }) },
  ),
  { minLength: 4, maxLength: 30 },
);

const first = 'ns1.example.net ns2.example.net';

/**
 * Checks that each event of a domain continues the one before it. Returns the last hosts: null for a removed domain, undefined
 * after `DOMAIN_ADDED`, which does not have them.
 */
function followChain(events: readonly EventRecord[]): string | null | undefined {
  let hosts: string | null | undefined = first;
  for (const { type, before, after } of events) {
    if (type === 'DOMAIN_ADDED') {
      expect(hosts).toBeNull();
      hosts = undefined;
    } else {
      expect(hosts).not.toBeNull();
      if (type === 'NAME_SERVERS_CHANGED' && hosts !== undefined) expect(before).toBe(hosts);
      hosts = type === 'DOMAIN_REMOVED' ? null : after;
    }
  }
  return hosts;
}

test('two replicas that fail, pause and are killed between any two calls store each difference once, in order', {
  tags: ['E1'],
}, async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (list) => {
      const upstream = await createAccount(names);
      const { time, rows, change, remove, startReplica, events, errors } = upstream;
      const start = async () => {
        const calls = createFates();
        const { writeLog } = await startReplica({ onCall: calls.onCall });
        return { ...calls, writeLog };
      };
      const replicas = [await start(), await start()];
      await time.pass(secondMs);
      let value = 0;
      for (const step of list) {
        if ('change' in step) {
          value += 1;
          change(step.change, { nameServers: [`ns${value}`] });
        } else if ('write' in step) {
          if (!rows.has(step.write)) continue;
          value += 1;
          const field = { field: 'nameServers', value: `ns${value}` } as const;
          const write = replicas[value % 2]?.writeLog.of('shop')(step.write, field);
          change(step.write, { nameServers: [field.value] });
          write?.executed(field.value);
        } else if ('remove' in step) await remove(step.remove);
        else if ('intervals' in step) await time.pass(step.intervals * intervalMs);
        else if ('resume' in step) replicas[step.resume]?.resume();
        else {
          if (replicas[step.replica]?.isDead()) replicas[step.replica] = await start();
          replicas[step.replica]?.in(step.calls, step.fate);
        }
      }
      for (const replica of replicas) replica.end();
      await start();
      await time.pass(2 * leaseMs);
      // A list that was in progress adds a removed domain to the ledger again, until a background read finds it gone again.
      for (const name of names) if (!rows.has(name)) await remove(name);
      await time.pass(2 * intervalMs);

      const stored = await events();
      expect(new Set(stored.map(({ id }) => id)).size).toBe(stored.length);
      for (const name of names) {
        const last = followChain(stored.filter(({ domain }) => domain === name));
        const expected = rows.get(name)?.nameServers;
        const hosts = Array.isArray(expected) ? expected.join(' ') : null;
        if (last === undefined) expect(hosts).not.toBeNull();
        else expect(last).toBe(hosts);
      }
      expect(errors).toEqual([]);
    }),
    { numRuns: runs(12, 200) },
  );
});
