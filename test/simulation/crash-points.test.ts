import { beforeAll, describe, expect, test } from 'vitest';
import { runs } from '../support/long.ts';
import { noChanges } from './change-weather.ts';
import type { WriteRoad } from './network.ts';
import type { OrderBuyer } from './order-buyers.ts';
import { noOrders } from './order-weather.ts';
import { createRandom } from './random.ts';
import { type Outcome, run } from './simulate.ts';
import { createSharedStore, type SharedStore } from './store.ts';
import { noPauses, planWeather, type StepFault, type Weather } from './weather.ts';
import { createWorld } from './world.ts';

let store: SharedStore;
beforeAll(async () => {
  store = await createSharedStore();
});

const buyer = (startsAfterMs: number) => ({
  kind: 'REGISTRATION' as const,
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
  orders: noOrders,
  changes: noChanges,
  portfolio: null,
  limits: { GATEWAY: {}, KEY: {} },
  outside: [],
  takenByOthers: [],
  boughtByHand: [],
  oddEntries: 0,
  roads: { writes: { [road]: 1 }, settings: { [road]: 1 }, reads: { ok: 1 }, checks: { ok: 1 } },
  calmAfterMs: Number.MAX_SAFE_INTEGER,
  crashes: 0,
  crashChance: 0,
  pauses: noPauses,
  journalMs: 10,
  journalFailChance: 0,
  journalOutages: [],
  skewMs: 0,
  clockJumps: [],
});

type OrderEnd = 'stopped' | 'cancelled';

/** An order that ends early: with its first failed line, or because its second client cancels it. */
const orderBuyer = (end: OrderEnd, startsAfterMs: number): OrderBuyer => ({
  key: 'the-order',
  caller: null,
  lines: [0, 1, 2].map((at) => ({ kind: 'REGISTRATION', domain: `line-${at}.com`, period: 1 })),
  onFailure: end === 'stopped' ? 'STOP' : 'CONTINUE',
  maxTotal: '40.0000',
  startsAfterMs,
  hangsUpAfterMs: null,
  follows: startsAfterMs === 0,
  cancelsAfterMs: end === 'cancelled' && startsAfterMs > 0 ? 1_000 : null,
});

/** As `fairDay`, with one order instead. */
const orderDay = (road: WriteRoad, end: OrderEnd): Weather => ({
  ...fairDay(road, 2),
  buyers: [],
  orders: {
    buyers: [orderBuyer(end, 0), orderBuyer(end, 1)],
    together: 1,
    leaseMs: 6_000,
  },
});

/** As `fairDay`, with a job that changes two domains, which another party changes several times. */
const changeDay = (road: WriteRoad): Weather => ({
  ...fairDay(road, 2),
  buyers: [],
  changes: {
    operators: [0, 1].map((startsAfterMs) => ({
      key: 'the-job',
      names: ['owned-0.com', 'owned-1.com'],
      change: { setNameServers: ['ns1.new.net', 'ns2.new.net'] },
      startsAfterMs,
      follows: false,
      cancelsAfterMs: startsAfterMs === 0 ? null : 1_000,
      retries: 1,
    })),
    owned: ['owned-0.com', 'owned-1.com'],
    byHand: Array.from({ length: 10 }, (_, at) => ({
      atMs: at * 2_000,
      domain: 'owned-0.com',
      settings: { nameServers: [`ns${at}.by-hand.net`] },
    })),
    together: 1,
    leaseMs: 6_000,
  },
});

/**
 * Runs the day with a fault at the given external step of the first gateway. Returns the number of steps. The steps of a job are
 * counted from its first item on.
 */
async function runWithFault(
  day: Weather,
  fault: StepFault,
  at: number,
): Promise<Outcome & { steps: number }> {
  let steps = 0;
  const hasBegun = () =>
    day.buyers.length > 0 ||
    store.rows("select 1 from job_items where state <> 'WAITING'").length > 0;
  const faultAt = (process: string) => {
    if (process !== 'gateway-0' || (steps === 0 && !hasBegun())) return null;
    steps += 1;
    return steps === at ? fault : null;
  };
  const outcome = await run(createWorld(7, false), store, { ...day, faultAt });
  return { ...outcome, steps };
}

interface Steps {
  readonly first: number;
  readonly stride: number;
  readonly most: number;
}

/** Runs the day with the fault at every `stride`th step. */
async function checkSteps(
  day: Weather,
  fault: StepFault,
  { first, stride, most }: Steps,
): Promise<void> {
  const calm = await runWithFault(day, fault, 0);
  expect(calm.violations).toEqual([]);
  expect(calm.steps).toBeGreaterThan(12);

  for (let at = first; at <= Math.min(most, calm.steps); at += stride) {
    const { violations, counts } = await runWithFault(day, fault, at);
    expect(violations, `${fault} at step ${at}`).toEqual([]);
    expect(counts.get(fault), `${fault} at step ${at}`).toBe(1);
  }
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

/** The short form has a fault at every fortieth step, with another first step for each road; the long form at every step. */
const stride = runs(40, 1);
const timeout = runs(120_000, 600_000);

describe.each([
  [1, 'alone'],
  [2, 'beside a second replica'],
])('%i gateway(s)', (replicas, how) => {
  test.each(roads)(
    `a crash at any step breaks no promise, ${how}: %s`,
    { tags: ['R8', 'I1'], timeout },
    async (road) => {
      const first = 1 + (roads.indexOf(road) % stride);
      await checkSteps(fairDay(road, replicas), 'crash', { first, stride, most: Infinity });
    },
  );
});

/** Of the first lines. The later steps mostly look for due lines. */
const orderSteps = 80;
/** The first step is not always the same; the tenth one found a cancelled line that was sent. */
const orderStride = runs(orderSteps, 1);
const orderRoads = (['definiteRefusal', 'ok', 'lostAnswer', 'neverAnswered'] as const).slice(
  0,
  runs(2, 4),
);
const faults: readonly StepFault[] = ['crash', 'pause'];
const ends: readonly OrderEnd[] = ['stopped', 'cancelled'];
const orderFaults = faults.flatMap((fault) => ends.map((end) => ({ fault, end })));

describe.each(orderFaults)('an order that is $end', ({ fault, end }) => {
  test.each(orderRoads)(
    `a ${fault} at any step breaks no promise of an order: %s`,
    { timeout },
    async (road) => {
      const first = orderStride === 1 ? 1 : 10 - 3 * orderRoads.indexOf(road);
      await checkSteps(orderDay(road, end), fault, {
        first,
        stride: orderStride,
        most: orderSteps,
      });
    },
  );
});

describe.each(faults)('a job that changes domains', (fault) => {
  test.each(orderRoads)(
    `a ${fault} at any step breaks no promise of a job: %s`,
    { timeout },
    async (road) => {
      await checkSteps(changeDay(road), fault, { first: 5, stride: orderStride, most: orderSteps });
    },
  );
});
