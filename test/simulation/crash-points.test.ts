import { beforeAll, describe, expect, test } from 'vitest';
import { domainApi } from '../../src/upstream/domain-api/operations.ts';
import { isLong, runs } from '../support/long.ts';
import { days, type Registrar, registrars } from './crash-days.ts';
import { writeSites } from './points.ts';
import { type Outcome, run } from './simulate.ts';
import { createSharedStore, type SharedStore } from './store.ts';
import type { Step } from './weather.ts';
import { createWorld } from './world.ts';

/*
 * The crash matrix: a process ends before and after each write of the journal and each call, and at each reply. The registrar does what
 * the call requests, does not, does it late, or refuses it. Another replica is there or not.
 */

/** Writes of no flow: one statement that a client or an operator requests. Nothing is sent before or after it. */
const singleWrites = [
  // Of the command that makes a backup.
  'persistence/backup.ts recordBackup',
  'persistence/customer-store.ts label',
  'persistence/customer-store.ts unlabel',
  'persistence/customer-store.ts assign',
  'persistence/journal.ts checkWritable',
  'persistence/spending.ts stop',
  'persistence/spending.ts resume',
  'features/audit/store.ts deleteBefore',
  'features/calendar/store.ts add',
  'features/calendar/store.ts remove',
  'features/contact-profile/store.ts save',
  'features/contact-profile/store.ts replace',
  'features/contact-profile/store.ts remove',
  'features/contact-profile/store.ts setDefaults',
  'features/mcp/store.ts add',
  // A resolution without its move is shown by no purchase; the feature tests that.
  'features/payment/resolution-store.ts write',
  'features/webhook/store.ts removeWebhook',
  'features/webhook/store.ts rotate',
  'features/webhook/store.ts addWebhook',
  'features/webhook/store.ts changeWebhook',
];
/** Calls of no flow: the journal has no state of them. */
const singleCalls = ['addchildnameserver', 'syncfromregistry'];

let store: SharedStore;
beforeAll(async () => {
  store = await createSharedStore(true);
});

interface Case {
  readonly flow: string;
  readonly registrar: Registrar;
  readonly replicas: number;
}

/** Runs the day of a case. The first gateway ends when it reaches the point for the first time. */
async function crashAt(
  { flow, registrar, replicas }: Case,
  point: string | null,
): Promise<Outcome & { readonly points: readonly string[] }> {
  const day = days[flow]?.(registrar, replicas);
  if (!day) throw new Error(`There is no flow "${flow}".`);
  const world = createWorld(7, false);
  const points = new Set<string>();
  const faultAt = (process: string, step: Step) => {
    // After this time the simulation expects no faults.
    const isCalm = world.nowMs() >= (day.portfolio?.calmAfterMs ?? Infinity);
    if (process !== 'gateway-0' || step.point === null || isCalm) return null;
    const name = `${step.side} ${step.point}`;
    const isFirst = !points.has(name);
    points.add(name);
    return isFirst && name === point ? 'crash' : null;
  };
  const outcome = await run(world, store, { ...day, faultAt });
  return { ...outcome, points: [...points] };
}

/** The points of each case without a crash, and the number of its steps. */
const pointsOf = new Map<Case, readonly string[]>();
const stepsOf = new Map<Case, number>();

async function checkCalm(one: Case): Promise<void> {
  const { violations, points, counts } = await crashAt(one, null);
  expect(violations).toEqual([]);
  pointsOf.set(one, points);
  stepsOf.set(one, counts.get('steps') ?? 0);
}

const flows = Object.keys(days);
const all = flows.flatMap((flow) =>
  registrars.flatMap((registrar) =>
    [1, 2].map((replicas): Case => ({ flow, registrar, replicas })),
  ),
);
const registrarAt = (at: number): Registrar => registrars[at % registrars.length] ?? 'ok';
/** The short form has each flow alone, and some beside a replica, each with another registrar. */
const some = [
  ...flows.map((flow, at): Case => ({ flow, replicas: 1, registrar: registrarAt(at) })),
  ...flows
    .slice(0, 7)
    .map((flow, at): Case => ({ flow, replicas: 2, registrar: registrarAt(at + 1) })),
];
const cases = isLong ? all : some;

/** A run with more steps takes seconds: in the short form each registrar has a part of its points. */
const maxSteps = 5_000;
const stride = 8;

/** In the short form one flow has a crash at each point, another one for each. */
function chosenPoints(one: Case): readonly string[] {
  if (isLong) return pointsOf.get(one) ?? [];
  const isLongRun = (stepsOf.get(one) ?? 0) > maxSteps;
  const first = registrars.indexOf(one.registrar) % stride;
  return (pointsOf.get(one) ?? []).filter((point, at) => {
    if (isLongRun && at % stride !== first) return false;
    const having = cases.filter((other) => pointsOf.get(other)?.includes(point));
    return having[at % having.length] === one;
  });
}

describe('a crash at each point breaks no promise', () => {
  test.each(cases)(
    '$flow, the registrar: $registrar, gateways: $replicas, without a crash',
    checkCalm,
  );

  test.each(cases)(
    '$flow, the registrar: $registrar, gateways: $replicas',
    { tags: ['R8', 'I1'], timeout: runs(120_000, 600_000) },
    async (one) => {
      for (const point of chosenPoints(one)) {
        const { violations, counts } = await crashAt(one, point);
        expect(violations, point).toEqual([]);
        expect(counts.get('crash'), point).toBe(1);
      }
    },
  );

  test('each write and each call of the product has a point', () => {
    const points = new Set([...pointsOf.values()].flat());
    const names = [...points].map((point) => point.slice(point.indexOf(' ') + 1));
    const calls = Object.entries(domainApi)
      .filter(([action, { effect }]) => effect === 'write' && !singleCalls.includes(action))
      .map(([action]) => `send ${action}`);
    const exist = [...writeSites, ...calls].filter((name) => !singleWrites.includes(name));

    expect(exist.filter((name) => !names.includes(name))).toEqual([]);
    // A name that the code does not have is a mistake of this test.
    expect(singleWrites.filter((name) => !writeSites.has(name))).toEqual([]);
    expect(names.filter((name) => !/^(?:send|reply) /.test(name) && !writeSites.has(name))).toEqual(
      [],
    );
    if (isLong) process.stdout.write(`Points: ${points.size}, all of them covered.\n`);
  });
});
