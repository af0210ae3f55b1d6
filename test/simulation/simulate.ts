import { Fault } from '../../src/kernel/faults.ts';
import { writeDeadlineMs } from '../../src/upstream/client/call.ts';
import { breakerLimits } from '../../src/upstream/policies/circuit-breaker.ts';
import { browse, buy, deleteLogs } from './buyers.ts';
import { createHistory } from './history.ts';
import type { NetworkTimes } from './network.ts';
import { type Process, type Surroundings, startProcess } from './process.ts';
import { createService } from './service.ts';
import type { SharedStore } from './store.ts';
import { planWeather, type Weather } from './weather.ts';
import { createWorld, type World } from './world.ts';

export interface Outcome {
  /** Of every line of the run: two runs of a seed have the same. */
  readonly hash: string;
  /** Empty when every promise was kept. */
  readonly violations: readonly string[];
  /** How often what happened. */
  readonly counts: ReadonlyMap<string, number>;
  readonly lines: readonly string[];
}

/** Seconds and minutes for hours and days. No look is so close to the acceptance that it may read what was before it. */
const pace = {
  everyMs: 20_000,
  slowEveryMs: 60_000,
  slowAfterMs: 120_000,
  retryMs: 20_000,
  leastMs: 15_000,
  toleranceMs: 60_000,
  givenUpAfterMs: 15 * 60_000,
};
/**
 * Shorter than the defaults. A call that is done late and a read that is stale share the quiet window and the seconds
 * between two reads: were they longer together, no gateway could tell.
 */
const timings = { timeoutMs: 2_000, quietWindowMs: 20_000, pace };
const times: NetworkTimes = {
  writeDeadlineMs: writeDeadlineMs(timings.timeoutMs),
  lateMs: 12_000,
  staleMs: 12_900,
};

/** Fifteen minutes, and what it may take on top: downtime, a quiet window of a new process, a pause between looks. */
const settledWithinMs = 20 * 60_000;
const limitMs = 60 * 60_000;
const checkEveryMs = 60_000;

/** One seed is one run: several replicas, several buyers, one service, and whatever can go wrong. */
export async function simulate(
  seed: number,
  store: SharedStore,
  keepsLines = false,
): Promise<Outcome> {
  const world = createWorld(seed, keepsLines);
  const weather = planWeather(world.random);
  return run(world, store, weather);
}

/** A run of any weather. */
export async function run(world: World, store: SharedStore, weather: Weather): Promise<Outcome> {
  store.clear();
  const service = createService(world);
  const history = createHistory(world, store, service, times);
  const replicas: Process[] = [];
  const around: Surroundings = {
    world,
    store,
    service,
    history,
    times,
    timings: { ...timings, reconcileEveryMs: weather.reconcileEveryMs },
    roads: weather.roads,
    limits: weather.limits,
    breaker: { ...breakerLimits, failures: weather.breakerOpensAfter },
    journalMs: weather.journalMs,
    meet: (process, what, side) => meet(process, what, side),
  };

  const start = (at: number) => {
    const name = `gateway-${at}`;
    world.trace(`${name} starts`);
    replicas[at] = startProcess(
      name,
      world.random.between(-weather.skewMs, weather.skewMs),
      around,
    );
  };
  const kill = (process: Process) => {
    const at = replicas.indexOf(process);
    if (at < 0 || !process.owner.alive) return;
    history.count('crash');
    process.kill();
    world.after(world.random.between(50, 20_000), null, () => start(at));
  };

  let crashesLeft = weather.crashes;
  let steps = 0;
  const meet: Surroundings['meet'] = (process, what, side) => {
    steps += 1;
    const { random } = world;
    const isChosen = weather.crashAt?.(process.owner.name, what, side) ?? false;
    if (isChosen || (crashesLeft > 0 && random.chance(weather.crashChance))) {
      crashesLeft -= 1;
      return kill(process);
    }
    // The worst moment is the one between the mark and the call.
    const isMarked = what === 'journal update' && side === 'after';
    if (random.chance(isMarked ? 5 * weather.pauseChance : weather.pauseChance)) {
      history.count('pause');
      process.owner.pausedUntilMs = world.nowMs() + random.between(100, 90_000);
    }
    if (what.startsWith('journal') && isJournalAway(weather, world)) {
      history.count(`journal away ${side}`);
      throw new Error(`the journal went away ${side} the statement`);
    }
  };

  for (let at = 0; at < weather.replicas; at += 1) start(at);
  for (const domain of weather.outside) service.outside(domain);
  for (const { atMs, domain } of weather.takenByOthers) {
    world.after(atMs, null, () => service.takeByOthers(domain));
  }
  for (const { atMs, domain } of weather.boughtByHand) {
    // In the seconds between the last look and the call nobody could tell the two apart, and no gateway can.
    world.after(atMs, null, () => history.isOpen(domain) || service.buyByHand(domain));
  }
  for (const { atMs, byMs, replica } of weather.clockJumps) {
    world.after(atMs, null, () => {
      world.trace(`the clock of gateway-${replica} is set by ${Math.round(byMs)} ms`);
      history.count('clock set');
      replicas[replica]?.clock.set(byMs);
    });
  }
  world.after(weather.calmAfterMs, null, () => {
    around.roads = weather.calmRoads;
  });

  const choose = () => {
    const alive = replicas.filter(({ owner }) => owner.alive);
    return alive.length > 0 ? world.random.pick(alive) : undefined;
  };
  let buying = weather.buyers.length;
  for (const buyer of weather.buyers) {
    void buy(buyer, around, choose)
      .catch((error) => world.violate('bug', describe(error)))
      .finally(() => {
        buying -= 1;
      });
  }
  for (const [look, atMs] of weather.looks.entries()) {
    world.after(atMs, null, () => {
      void browse(weather.names, around, choose);
      void deleteLogs(`token-${look}`, around, choose);
    });
  }
  const checkNow = () => {
    history.holdSettled(settledWithinMs);
    world.after(checkEveryMs, null, checkNow);
  };
  checkNow();

  const isOver = () => buying === 0 && history.underWay === 0 && !history.hasOpen();
  const stopWatching = watchForBugs(world);
  await world.run(isOver, limitMs);
  stopWatching();
  if (world.violations.length === 0) history.close(weather.limits);
  for (const { owner } of replicas) owner.alive = false;
  history.counts.set('steps', steps);
  const { violations, lines } = world;
  return { hash: world.hash(), violations, counts: history.counts, lines };
}

function isJournalAway({ journalOutages, journalFailChance }: Weather, world: World): boolean {
  const now = world.nowMs();
  return (
    journalOutages.some(({ fromMs, toMs }) => fromMs <= now && now < toMs) ||
    world.random.chance(journalFailChance)
  );
}

/** What nobody caught, such as in the reconciler, is a bug as well. */
function watchForBugs(world: World): () => void {
  const onRejection = (error: unknown) => world.violate('bug', describe(error));
  process.on('unhandledRejection', onRejection);
  return () => process.off('unhandledRejection', onRejection);
}

const describe = (error: unknown) =>
  error instanceof Fault
    ? `${error.code} ${error.stack}`
    : String((error as Error)?.stack ?? error);
