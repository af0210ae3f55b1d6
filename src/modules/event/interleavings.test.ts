import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../test/support/long.ts';
import {
  createAccount,
  intervalMs,
  leaseMs,
  type OnCall,
} from '../../../test/support/modules/event-account.ts';
import { a, b, c } from '../../../test/support/modules/event-rows.ts';
import { secondMs } from '../../../test/support/simulated-clock.ts';
import { Fault } from '../../kernel/faults.ts';
import type { EventRecord } from '../../persistence/event-log.ts';

/** What happens to a later call of the store by a replica. */
type Fate = 'kill before' | 'kill after' | 'pause before' | 'pause after' | 'fail' | 'fail after';

/** The calls of a replica. The call that `in` names by its number from now on gets the fate. */
function createFates() {
  let next: { calls: number; readonly fate: Fate } | null = null;
  let isDead = false;
  let paused = Promise.withResolvers<void>();
  const never = new Promise<never>(() => undefined);
  const onCall: OnCall = async (_method, execute) => {
    if (isDead) return never;
    if (next) next.calls -= 1;
    if (!next || next.calls > 0) return execute();
    const { fate } = next;
    next = null;
    isDead ||= fate.startsWith('kill');
    if (fate === 'pause before') await paused.promise;
    if (fate === 'fail') throw new Fault('JOURNAL_UNAVAILABLE');
    if (fate === 'kill before') return never;
    const result = await execute();
    if (fate === 'pause after') await paused.promise;
    if (fate === 'fail after') throw new Fault('JOURNAL_UNAVAILABLE');
    return fate === 'kill after' ? never : result;
  };
  return {
    onCall,
    in(calls: number, fate: Fate): void {
      next = { calls, fate };
    },
    resume(): void {
      paused.resolve();
      paused = Promise.withResolvers();
    },
    end(): void {
      next = null;
      this.resume();
    },
    isDead: () => isDead,
  };
}

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
        fate: fc.constantFrom<Fate>(
          ...(['kill before', 'kill after', 'pause before', 'pause after'] as const),
          ...(['fail', 'fail after'] as const),
        ),
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
        const fates = createFates();
        const { writeLog } = await startReplica({ onCall: fates.onCall });
        return { ...fates, writeLog };
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
      for (const fates of replicas) fates.end();
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
