import { Fault } from '../../src/kernel/faults.ts';
import { writeDeadlineMs } from '../../src/upstream/client/call.ts';
import { breakerLimits } from '../../src/upstream/policies/circuit-breaker.ts';
import { browse, buy, deleteLogs } from './buyers.ts';
import { changeMany } from './change-operators.ts';
import { reportAmounts } from './cashiers.ts';
import { decide } from './deciders.ts';
import { createEndpoint } from './endpoint.ts';
import { createHistory } from './history.ts';
import type { NetworkTimes, Roadmap } from './network.ts';
import { order } from './order-buyers.ts';
import { portfolioClients } from './portfolio-clients.ts';
import type { PortfolioWeather } from './portfolio-weather.ts';
import { withRises } from './price-weather.ts';
import { type Process, type RunContext, startProcess, stepOfEvents } from './process.ts';
import { createRandom } from './random.ts';
import { createService, type ListOfDomains, type Service } from './service.ts';
import type { SharedStore } from './store.ts';
import {
  planWeather,
  type Weather,
  withApprovals,
  withCancellations,
  withChanges,
  withPayments,
  withPortfolio,
  withTransfers,
} from './weather.ts';
import { createWorld, type World } from './world.ts';

export interface Outcome {
  /** The hash of all lines; two runs of a seed have the same. */
  readonly hash: string;
  /** Empty when no promise was broken. */
  readonly violations: readonly string[];
  /** The number of events by kind. */
  readonly counts: ReadonlyMap<string, number>;
  readonly lines: readonly string[];
}

/** Seconds and minutes instead of hours and days. No read is so close to the acceptance that it can be stale about it. */
const pace = {
  everyMs: 20_000,
  slowEveryMs: 60_000,
  slowAfterMs: 120_000,
  retryMs: 20_000,
  minMs: 15_000,
  toleranceMs: 60_000,
  givenUpAfterMs: 15 * 60_000,
};
/**
 * Shorter than the defaults. The delay of a late call and the staleness of a read share the quiet window and the seconds
 * between two reads: if they were longer together, no gateway could determine the outcome.
 */
const timings = { timeoutMs: 2_000, quietWindowMs: 20_000, pace };
const usualTimes: NetworkTimes = {
  writeDeadlineMs: writeDeadlineMs(timings.timeoutMs),
  lateMs: 12_000,
  staleMs: 12_900,
  listStaleMs: 0,
};

/** Fifteen minutes, the quiet window of a new process and a pause between reads. */
const settledWithinMs = 20 * 60_000;
/** The seeds whose jobs change many domains: one in twenty, as such a run takes longer. All other seeds have the same trace without them. */
const seedsPerChange = 20;
const changesAt = 15;
/** The same of seeds with a portfolio: one in forty, and the negative ones, whose runs are short. */
const seedsPerPortfolio = 40;
const portfolioAt = 7;
/** The same of seeds with many transfers of one domain. */
const seedsPerTransfers = 40;
const transfersAt = 21;
/** The same of seeds whose costs rise. */
const seedsPerRises = 40;
const risesAt = 33;
/** From this seed on purchases need approvals, or bulk changes one time in four. */
const approvalsFrom = 1_000_000;
const seedsPerApprovedChanges = 4;
/** From this seed on orders are paid, one time in four after an approval. */
const paymentsFrom = 2_000_000;
const seedsPerApprovedPayments = 4;
/** In one of five buyers cancel. All others have the same trace without cancellations. */
const seedsPerCancellations = 5;
const cancellationsAt = 4;
const broken = { reset: 1 };
const outageRoads: Roadmap = { writes: broken, settings: broken, reads: broken, checks: broken };
const criticalFactor = 40;
const emptyList: ListOfDomains = { pageSize: 0, order: 'name', oddRows: 0, steadyAfterMs: 0 };
const limitMs = 5 * 60 * 60_000;
const checkEveryMs = 60_000;
/** With more pauses a purchase can take longer than `settledWithinMs`. */
const maxPauses = 30;
/** After a pause a process reaches the journal within this time. */
const resumedForMs = 2_000;

/** Runs one seed: several replicas, several buyers, one service, and faults. */
export async function simulate(
  seed: number,
  store: SharedStore,
  keepsLines = false,
): Promise<Outcome> {
  const world = createWorld(seed, keepsLines);
  const weather = planWeather(world.random);
  return run(world, store, weatherOf(seed, weather));
}

function weatherOf(seed: number, weather: Weather): Weather {
  if (seed >= paymentsFrom) {
    const random = createRandom(-seed);
    const paid = withPayments(random, weather);
    return seed % seedsPerApprovedPayments === 0 ? withApprovals(random, paid) : paid;
  }
  if (seed >= approvalsFrom) {
    const random = createRandom(-seed);
    const approved = withApprovals(random, weather);
    if (seed % seedsPerApprovedChanges === 0) return withChanges(random, approved);
    return seed % seedsPerCancellations === cancellationsAt
      ? withCancellations(random, approved)
      : approved;
  }
  if (seed % seedsPerChange === changesAt) return withChanges(createRandom(-seed), weather);
  if (seed % seedsPerTransfers === transfersAt) return withTransfers(createRandom(-seed), weather);
  if (seed % seedsPerRises === risesAt) return withRises(createRandom(-seed), weather);
  const isShort = seed < 0;
  if (isShort || seed % seedsPerPortfolio === portfolioAt) {
    return withPortfolio(createRandom(-seed), weather, isShort);
  }
  return weather;
}

/** Runs the given weather. */
export async function run(world: World, store: SharedStore, weather: Weather): Promise<Outcome> {
  store.clear();
  const { portfolio, approvals, payments, prices } = weather;
  const times = { ...usualTimes, ...(portfolio && { listStaleMs: portfolio.listStaleMs }) };
  const service = createService(world, {
    ...weather,
    ...{ staleMs: times.staleMs, list: portfolio?.list ?? emptyList },
  });
  const history = createHistory(world, store, service, times, weather);
  const replicas: Process[] = [];
  const around: RunContext = {
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
    orders: weather.orders,
    changes: weather.changes,
    portfolio,
    approvals,
    payments,
    prices,
    endpoint: weather.endpoint ? createEndpoint(world, store, weather.endpoint) : null,
    meet: (process, step) => meet(process, step),
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
    const maxMs = portfolio && world.random.chance(0.3) ? portfolio.maxDowntimeMs : 20_000;
    const startsAfterMs = world.random.between(50, prices?.maxDowntimeMs ?? maxMs);
    history.down(startsAfterMs);
    world.after(startsAfterMs, null, () => start(at));
  };

  let crashesLeft = weather.crashes;
  let pausesLeft = maxPauses;
  let steps = 0;
  const meet: RunContext['meet'] = (process, step) => {
    const chosen = weather.faultAt?.(process.owner.name, step);
    const { what, side } = step;
    // Only chosen faults: seeds have the same trace without these steps.
    if (side === 'reply') return chosen === 'crash' ? kill(process) : undefined;
    steps += 1;
    if (portfolio && world.nowMs() >= portfolio.calmAfterMs) return;
    const { random } = world;
    if (chosen === 'crash' || (crashesLeft > 0 && random.chance(crashChanceAt(weather, what)))) {
      crashesLeft -= 1;
      return kill(process);
    }
    const pauseChance = pauseChanceAt(weather, what, side);
    if (chosen === 'pause' || (pausesLeft > 0 && random.chance(pauseChance))) {
      pausesLeft -= 1;
      history.count('pause');
      history.portfolio?.paused();
      const pauseMs = random.between(100, maxPauseMs);
      process.owner.pausedUntilMs = world.nowMs() + pauseMs;
      process.owner.pausedMs += pauseMs;
      history.down(pauseMs);
    }
    if (what.startsWith('journal') && isJournalAway(weather, world)) {
      history.count(`journal away ${side}`);
      throw new Error(`the journal went away ${side} the statement`);
    }
  };

  for (let at = 0; at < weather.replicas; at += 1) start(at);
  for (const domain of weather.outside) service.outside(domain);
  for (const domain of weather.changes.owned) service.own(domain);
  for (const { atMs, domain, settings } of weather.changes.byHand) {
    world.after(atMs, null, () => service.changeByHand(domain, settings));
  }
  for (const { atMs, domain } of weather.takenByOthers) {
    world.after(atMs, null, () => service.takeByOthers(domain));
  }
  for (const { atMs, domain } of weather.boughtByHand) {
    // Between the last read and the call no gateway can distinguish the two purchases.
    world.after(atMs, null, () => history.isOpen(domain) || service.buyByHand(domain));
  }
  const rises = prices?.rises ?? approvals?.priceRises;
  if (rises && Number.isFinite(rises.atMs)) {
    const { atMs, factor } = rises;
    world.after(atMs, null, () => service.raisePrices(factor));
  }
  for (const { atMs, byMs, replica } of weather.clockJumps) {
    world.after(atMs, null, () => {
      world.trace(`the clock of gateway-${replica} is set by ${Math.round(byMs)} ms`);
      history.count('clock set');
      replicas[replica]?.clock.set(byMs);
    });
  }
  const maxPauseMs = portfolio?.maxPauseMs ?? 90_000;
  const outages = portfolio?.upstreamOutages ?? [];
  const setRoads = () => {
    const isCalm = world.nowMs() >= weather.calmAfterMs;
    around.roads = isCalm ? weather.calmRoads : weather.roads;
    if (outages.some((outage) => isWithin(outage, world.nowMs()))) around.roads = outageRoads;
  };
  for (const { fromMs, toMs } of outages) {
    world.after(fromMs, null, setRoads);
    world.after(toMs, null, setRoads);
  }
  world.after(weather.calmAfterMs, null, setRoads);
  if (portfolio) startPortfolioEvents(portfolio, world, service);

  const choose = () => {
    const alive = replicas.filter(({ owner }) => owner.alive);
    return alive.length > 0 ? world.random.pick(alive) : undefined;
  };
  const clients = [
    ...weather.buyers.map((buyer) => buy(buyer, around, choose)),
    ...weather.orders.buyers.map((buyer) => order(buyer, around, choose)),
    ...weather.changes.operators.map((operator) => changeMany(operator, around, choose)),
    ...(portfolio ? portfolioClients(portfolio, around, choose) : []),
  ];
  let working = clients.length;
  for (const client of clients) {
    void client
      .catch((error) => world.violate('bug', describe(error)))
      .finally(() => {
        working -= 1;
      });
  }
  for (const [look, atMs] of weather.looks.entries()) {
    world.after(atMs, null, () => {
      void browse(weather.names, around, choose);
      void deleteLogs(`token-${look}`, around, choose);
    });
  }
  for (const decider of approvals?.deciders ?? []) void decide(decider, around, choose);
  for (const cashier of payments?.cashiers ?? []) {
    void reportAmounts(cashier, around, choose).catch((error) =>
      world.violate('bug', describe(error)),
    );
  }
  const checkNow = () => {
    history.checkSettled(settledWithinMs);
    world.after(checkEveryMs, null, checkNow);
  };
  checkNow();

  /** A paused process continues the work that it had begun. */
  const hasPaused = () =>
    replicas.some(({ owner }) => owner.alive && world.nowMs() < owner.pausedUntilMs + resumedForMs);
  const isOver = () =>
    working === 0 && history.pendingRequests === 0 && !hasPaused() && !history.hasOpen();
  const stopWatching = watchForBugs(world);
  await world.run(isOver, portfolio ? Infinity : limitMs);
  stopWatching();
  if (world.violations.length === 0) {
    history.close();
    around.endpoint?.close();
  }
  for (const { owner, clock } of replicas) {
    owner.alive = false;
    clock.end();
  }
  history.counts.set('steps', steps);
  const { violations, lines } = world;
  return { hash: world.hash(), violations, counts: history.counts, lines };
}

/** What happens to the domains of the account outside of the gateway. */
function startPortfolioEvents(
  { owned, byHand, moves }: PortfolioWeather,
  world: World,
  service: Service,
): void {
  for (const { domain, holding } of owned) service.put(domain, holding, Number.NEGATIVE_INFINITY);
  for (const { atMs, domain, change } of byHand) {
    world.after(atMs, null, () => service.changeByHand(domain, change));
  }
  for (const { atMs, domain, holding } of moves) {
    world.after(atMs, null, () => service.put(domain, holding));
  }
}

/** The most critical times are between the mark and the call, and between the lease of a line and its claim. */
const isCritical = (what: string, side: 'before' | 'after'): boolean =>
  side === 'after' && (what === 'journal update' || what === 'journal with');

const isWithin = (
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
  nowMs: number,
) => fromMs <= nowMs && nowMs < toMs;

const pauseChanceAt = ({ pauses }: Weather, what: string, side: 'before' | 'after'): number => {
  if (what === stepOfEvents) return criticalFactor * pauses.other;
  return isCritical(what, side) ? pauses.critical : pauses.other;
};

/** A run with a portfolio has many steps, of which those that write are critical. */
const crashChanceAt = ({ crashChance, portfolio }: Weather, what: string): number =>
  portfolio && what === stepOfEvents ? criticalFactor * crashChance : crashChance;

function isJournalAway({ journalOutages, journalFailChance }: Weather, world: World): boolean {
  const now = world.nowMs();
  return (
    journalOutages.some((outage) => isWithin(outage, now)) || world.random.chance(journalFailChance)
  );
}

/** An unhandled rejection, such as in the reconciler, is a bug too. */
function watchForBugs(world: World): () => void {
  const onRejection = (error: unknown) => world.violate('bug', describe(error));
  process.on('unhandledRejection', onRejection);
  return () => process.off('unhandledRejection', onRejection);
}

const describe = (error: unknown) =>
  error instanceof Fault
    ? `${error.code} ${error.stack}`
    : String((error as Error)?.stack ?? error);
