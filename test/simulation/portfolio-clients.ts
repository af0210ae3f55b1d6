import { events } from '../../src/features/event/service.ts';
import { Fault } from '../../src/kernel/faults.ts';
import { gate } from '../../src/modules/mutation/gate.ts';
import { nameServers } from '../../src/modules/name-server/service.ts';
import { trackedDomains } from '../../src/features/portfolio/service.ts';
import { protection } from '../../src/modules/protection/service.ts';
import { request, unheard } from './order-buyers.ts';
import type { PortfolioWeather, RequestedWrite } from './portfolio-weather.ts';
import type { Process, RunContext } from './process.ts';

type Choose = () => Process | undefined;

/** The clients of a run with a portfolio. Each resolves when it has ended. */
export const portfolioClients = (
  weather: PortfolioWeather,
  around: RunContext,
  choose: Choose,
): readonly Promise<void>[] => [
  around.world.pass(weather.endsAtMs),
  ...Array.from({ length: weather.readers }, () => readEvents(weather, around, choose)),
  ...weather.views.map((atMs) => viewDomains(atMs, around, choose)),
  ...weather.writes.map((write) => writeOnce(write, around, choose)),
  ...weather.imports.map(({ atMs, names }) => track(atMs, names, around, choose)),
];

/** The response of a process; null when there is none, when it fails, and when it is killed first. */
async function withProcess<T>(
  around: RunContext,
  choose: Choose,
  call: (process: Process) => Promise<T>,
): Promise<T | null> {
  const process = choose();
  return process ? request({ around }, process, () => call(process)) : null;
}

const maxPauseMs = 12 * 60_000;

/** Reads all events, by pages and streams of any replica, and continues at its cursor after each interruption. */
async function readEvents(
  { endsAtMs }: PortfolioWeather,
  around: RunContext,
  choose: Choose,
): Promise<void> {
  const { world, history } = around;
  const { portfolio } = history;
  if (!portfolio) return;
  const reader = portfolio.startReader();
  const isDeleted = (error: unknown) =>
    error instanceof Fault && error.code === 'INVALID_INPUT' && reader.refused();
  const readPage = async (process: Process) => {
    const limit = 1 + world.random.index(20);
    const { items } = await process
      .request(unheard)
      .use(events)
      .list({ limit, after: reader.cursor() });
    for (const event of items) reader.receive(event);
    return items.length === limit;
  };
  const readStream = async (process: Process) => {
    const untilMs = world.nowMs() + world.random.between(1_000, 60_000);
    const stream = await process.request(unheard).use(events).follow(reader.cursor(), {});
    const next = () => Promise.race([stream.next(), world.pass(untilMs - world.nowMs())]);
    for (let step = await next(); step && !step.done; step = await next()) {
      reader.receive(step.value);
    }
    void stream.return();
  };
  const readOnce = (call: (process: Process) => Promise<unknown>) =>
    withProcess(around, choose, (process) =>
      call(process).catch((error) => {
        if (!isDeleted(error)) throw error;
      }),
    );
  while (world.nowMs() < endsAtMs) {
    await readOnce(world.random.chance(0.5) ? readPage : readStream);
    await world.pass(world.random.between(1_000, Math.min(maxPauseMs, endsAtMs / 8)));
  }
  for (let isLeft = true; isLeft; ) {
    isLeft = (await readOnce(readPage)) === true;
  }
  reader.close();
}

async function viewDomains(atMs: number, around: RunContext, choose: Choose): Promise<void> {
  const { world, history } = around;
  await world.pass(atMs);
  const requestedAtMs = world.nowMs();
  const found = await withProcess(around, choose, async (process) => {
    const { list, refreshed } = process.lists();
    return world.random.chance(0.3) ? refreshed() : list();
  });
  if (found) history.portfolio?.viewed(found, requestedAtMs);
}

async function writeOnce(
  { atMs, domain, caller, write }: RequestedWrite,
  around: RunContext,
  choose: Choose,
): Promise<void> {
  await around.world.pass(atMs);
  around.history.portfolio?.requested({ domain, caller, write });
  await withProcess(around, choose, async (process): Promise<unknown> => {
    const { use } = process.request({ ...unheard, caller });
    if ('nameServers' in write) return use(nameServers).set({ domain, ...write });
    if ('transferLocked' in write) {
      return use(protection).disableTransferLock({ domain }, use(gate));
    }
    return use(protection).setPrivacy({ domain, privacyProtected: write.privacyProtected });
  });
}

async function track(
  atMs: number,
  names: readonly string[],
  around: RunContext,
  choose: Choose,
): Promise<void> {
  const { world, history } = around;
  await world.pass(atMs);
  history.portfolio?.tracks(names);
  const added = await withProcess(around, choose, (process) =>
    process.request(unheard).use(trackedDomains).track({ names }),
  );
  if (added && added.errors.length === 0) history.portfolio?.imported(names);
}
