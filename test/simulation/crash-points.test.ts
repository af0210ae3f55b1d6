import { beforeAll, describe, expect, test } from 'vitest';
import { isLong, runs } from '../support/long.ts';
import { type Day, days, registrars } from './crash-days.ts';
import { writeSites } from './points.ts';
import { type Outcome, run } from './simulate.ts';
import { createSharedStore, type SharedStore } from './store.ts';
import type { Step, StepFault, Weather } from './weather.ts';
import { createWorld } from './world.ts';

let store: SharedStore;
beforeAll(async () => {
  store = await createSharedStore(true);
});

/** The points at which a process ended or paused in this file. */
const covered = new Set<string>();
const nameOf = ({ point, side }: Step): string => `${side} ${point}`;

/** Runs the day with a fault of the first gateway at its chosen meeting with a point. */
async function runWithFault(
  day: Weather,
  chosen: { readonly name: string; readonly at: number; readonly fault: StepFault } | null,
): Promise<Outcome & { readonly points: ReadonlyMap<string, number> }> {
  const points = new Map<string, number>();
  const faultAt = (process: string, step: Step): StepFault | null => {
    if (process !== 'gateway-0' || step.point === null) return null;
    const name = nameOf(step);
    const at = (points.get(name) ?? 0) + 1;
    points.set(name, at);
    return name === chosen?.name && at === chosen.at ? chosen.fault : null;
  };
  return { ...(await run(createWorld(7, false), store, { ...day, faultAt })), points };
}

const cases = Object.entries(days).flatMap(([what, day]) =>
  registrars.flatMap((registrar) => [1, 2].map((replicas) => ({ what, day, registrar, replicas }))),
);
test.each(cases)('$what $registrar $replicas', async ({ day, registrar, replicas }) => {
  const t = performance.now();
  const calm = await runWithFault(day(registrar, replicas), null);
  console.log(calm.points.size, Math.round(performance.now() - t), [...calm.points].map(([k, v]) => `${k}×${v}`).join('; '), calm.violations.slice(0, 2));
  for (const name of calm.points.keys()) covered.add(name);
});
test('sites', () => {
  console.log([...writeSites].filter((site) => ![...covered].some((name) => name.endsWith(site))));
  console.log([...covered].filter((name) => !name.includes('send') && !name.includes('reply') && ![...writeSites].some((site) => name.endsWith(site))));
});
