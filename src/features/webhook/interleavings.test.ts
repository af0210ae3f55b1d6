import fc from 'fast-check';
import { expect, test } from 'vitest';
import { account } from '../../../test/persistence/claims.ts';
import { runs } from '../../../test/support/long.ts';
import { createFates, fates } from '../../../test/support/modules/fates.ts';
import { minuteMs, secondMs } from '../../../test/support/simulated-clock.ts';
import { createWebhookAccount, type Response } from './test/account.ts';

const failures: readonly Response[] = [
  ...[{ status: 500 }, { status: 301 }, { failure: 'The connection failed.' }],
  ...[
    { status: 429, retryAfter: '7' },
    { status: 503, retryAfter: '100000' },
  ],
];

const replica = fc.integer({ min: 0, max: 1 });
const steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ events: fc.integer({ min: 1, max: 25 }) }) },
    { weight: 4, arbitrary: fc.record({ ms: fc.constantFrom(secondMs, minuteMs, 10 * minuteMs) }) },
    {
      weight: 3,
      arbitrary: fc.record({
        hook: fc.constantFrom('one', 'two'),
        responses: fc.array(fc.constantFrom(...failures), { maxLength: 4 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ gone: fc.constantFrom('one', 'two') }) },
    { weight: 2, arbitrary: fc.record({ resumed: fc.constantFrom('one', 'two') }) },
    {
      weight: 4,
      arbitrary: fc.record({
        replica,
        calls: fc.integer({ min: 1, max: 12 }),
        fate: fc.constantFrom(...fates),
      }),
    },
    { weight: 2, arbitrary: fc.record({ woken: replica }) },
    { weight: 1, arbitrary: fc.record({ closed: replica }) },
  ),
  { minLength: 4, maxLength: 30 },
);

test('with any responses, failures, restarts and lease changes each event is delivered, in order and none is skipped', {
  tags: ['W2', 'W3'],
}, async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (list) => {
      const here = await createWebhookAccount();
      const { time, happen, add, startReplica, journal, store } = here;
      await add('one');
      await add('two', { types: ['EXPIRING', 'WEBHOOK_SUSPENDED'] });
      /** The next responses of each endpoint; then it accepts events. */
      const planned = new Map<string, Response[]>();
      /** The accepted events of each endpoint at each of its requests. */
      const requests: { readonly url: string; readonly id: string; readonly before: number }[] = [];
      const accepted = new Map<string, Set<string>>();
      here.onRequest(({ url, id }) => {
        const ids = accepted.get(url) ?? new Set();
        accepted.set(url, ids);
        requests.push({ url, id, before: ids.size });
        const response = planned.get(url)?.shift() ?? { status: 200 };
        if ('status' in response && response.status === 200) ids.add(id);
        return response;
      });
      const urlOf = (hook: string) => `https://${hook}.example/`;
      const plan = (hook: string, ...responses: readonly Response[]) =>
        planned.set(urlOf(hook), [...responses]);
      const start = async () => {
        const calls = createFates();
        return { calls, deliveries: await startReplica({ onCall: calls.onCall }) };
      };
      const replicas = [await start(), await start()];
      await time.pass(secondMs);
      for (const step of list) {
        if ('events' in step) {
          for (let count = 0; count < step.events; count += 1) {
            await happen(count % 3 === 0 ? { type: 'EXPIRING' } : {});
          }
        } else if ('ms' in step) await time.pass(step.ms);
        else if ('hook' in step) plan(step.hook, ...step.responses);
        else if ('gone' in step) plan(step.gone, { status: 410 });
        else if ('resumed' in step) await store.change(account, step.resumed, { resume: true });
        else if ('woken' in step) replicas[step.woken]?.calls.resume();
        else if ('closed' in step) {
          const closed = replicas[step.closed];
          closed?.calls.end();
          if (closed && !closed.calls.isDead()) {
            const closing = closed.deliveries.close();
            await time.pass(6 * secondMs);
            await closing;
          }
          replicas[step.closed] = await start();
        } else {
          if (replicas[step.replica]?.calls.isDead()) replicas[step.replica] = await start();
          replicas[step.replica]?.calls.in(step.calls, step.fate);
        }
      }
      planned.clear();
      for (const { calls } of replicas) calls.end();
      await start();
      for (const hook of ['one', 'two']) {
        await store.change(account, hook, { resume: true });
      }
      await time.pass(4 * minuteMs);

      const events = await journal.events.list(account, { limit: 10_000 });
      const expected = {
        one: events.map(({ id }) => id),
        two: events.filter(({ type }) => type !== 'STATE_CHANGED').map(({ id }) => id),
      };
      for (const hook of ['one', 'two'] as const) {
        const ids = here.idsOf(hook);
        // Nothing lost, nothing that the filter leaves out.
        expect([...new Set(ids)].toSorted(), hook).toEqual([...expected[hook]].toSorted());
        // In order: an event is sent when all before it were accepted.
        for (const { id, before } of requests.filter(({ url }) => url === urlOf(hook))) {
          expect(before, hook).toBeGreaterThanOrEqual(expected[hook].indexOf(id));
        }
        expect([...new Set(ids)], hook).toEqual(expected[hook]);
        expect((await here.webhook(hook))?.progress).toMatchObject({
          ...{ position: events.length, failures: 0, missedUntil: null, suspension: null },
        });
      }
      expect(here.log.filter(([what]) => what === 'error')).toEqual([]);
    }),
    { numRuns: runs(6, 100) },
  );
});
