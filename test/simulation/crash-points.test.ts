import { beforeAll, describe, expect, test } from 'vitest';
import { runs } from '../support/long.ts';
import type { WriteRoad } from './network.ts';
import { createRandom } from './random.ts';
import { type Outcome, run } from './simulate.ts';
import { createSharedStore, type SharedStore } from './store.ts';
import { planWeather, type Weather } from './weather.ts';
import { createWorld } from './world.ts';

let store: SharedStore;
beforeAll(async () => {
  store = await createSharedStore();
});

const buyer = (startsAfterMs: number) => ({
  kind: 'REGISTER' as const,
  domain: 'free-0.com',
  period: 1,
  key: 'the-key',
  maxPrice: null,
  caller: null,
  startsAfterMs,
  hangsUpAfterMs: null,
});

/** Weather without faults and with one purchase, whose call goes one road; a second replica gets an equal purchase at the same time. */
const fairDay = (road: WriteRoad, replicas: number): Weather => ({
  ...planWeather(createRandom(1)),
  replicas,
  buyers: replicas === 1 ? [buyer(0)] : [buyer(0), buyer(1)],
  looks: [],
  limits: { GATEWAY: {}, KEY: {} },
  outside: [],
  takenByOthers: [],
  boughtByHand: [],
  roads: { writes: { [road]: 1 }, reads: { ok: 1 }, checks: { ok: 1 } },
  calmAfterMs: Number.MAX_SAFE_INTEGER,
  crashes: 0,
  crashChance: 0,
  pauseChance: 0,
  journalMs: 10,
  journalFailChance: 0,
  journalOutages: [],
  skewMs: 0,
  clockJumps: [],
});

/** Runs the day with a crash at the given external step. Returns the number of steps. */
async function runWithCrash(day: Weather, at: number): Promise<Outcome & { steps: number }> {
  let steps = 0;
  const crashAt = (process: string) => {
    if (process !== 'gateway-0') return false;
    steps += 1;
    return steps === at;
  };
  const outcome = await run(createWorld(7, false), store, { ...day, crashAt });
  return { ...outcome, steps };
}

const roads: readonly WriteRoad[] = [
  'ok',
  'refused',
  'reset',
  'lostAnswer',
  'late',
  'neverAnswered',
  'swallowed',
  'definiteRefusal',
  'refusedAfter',
  'twice',
];

/** The short form crashes at every tenth step, with another first step for each road; the long form at every step. */
const stride = runs(20, 1);

describe.each([
  [1, 'alone'],
  [2, 'beside a second replica'],
])('%i gateway(s)', (replicas, how) => {
  test.each(roads)(
    `a crash at any step breaks no promise, ${how}: %s`,
    {
      timeout: runs(120_000, 600_000),
    },
    async (road) => {
      const day = fairDay(road, replicas);
      const calm = await runWithCrash(day, 0);
      expect(calm.violations).toEqual([]);
      expect(calm.steps).toBeGreaterThan(12);

      const first = 1 + (roads.indexOf(road) % stride);
      for (let at = first; at <= calm.steps; at += stride) {
        const { violations, counts } = await runWithCrash(day, at);
        expect(violations, `crash at step ${at}`).toEqual([]);
        expect(counts.get('crash'), `crash at step ${at}`).toBe(1);
      }
    },
  );
});
