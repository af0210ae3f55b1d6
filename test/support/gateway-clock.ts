import { subscribe } from 'node:diagnostics_channel';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../src/lib/clock.ts';
import { systemClock } from '../../src/lib/system.ts';
import type { TestGateway } from './gateway.ts';
import { createSimulatedClock, settlementOf } from './simulated-clock.ts';

/** Turns of the event loop without a use of the clock: nothing moves before time does. */
const idleTurns = 10;

/** The HTTP requests of this process that have no response yet, by `fetch` and by undici. */
const openRequests = new Set<unknown>();
const onRequest = (name: string, act: (request: unknown) => unknown) =>
  subscribe(`undici:request:${name}`, (message) => act((message as { request: unknown }).request));
onRequest('create', (request) => openRequests.add(request));
for (const end of ['trailers', 'error']) onRequest(end, (request) => openRequests.delete(request));

/** A turn of the event loop, which takes a millisecond while a socket or a file may need it. */
const passTurn = (): Promise<unknown> =>
  openRequests.size > 0 || process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq'))
    ? sleep(1)
    : nextTurn();

export type GatewayClock = ReturnType<typeof createGatewayClock>;

/**
 * A simulated clock for a gateway and its sandbox in this process. Time stands still while they work, and passes only in
 * `during` and `pass`, from the end of one wait to the end of the next. So a slow machine makes no call slow, and no wait takes
 * real time.
 *
 *     const time = createGatewayClock();
 *     const gateway = await startTestGateway({ clock: time.clock });
 *     const { data } = await time.during(gateway.query('{ availability(name: "slow-maple.com") { state } }'));
 */
export function createGatewayClock() {
  const {
    clock: simulated,
    passToNextTimer,
    pass,
    advance,
  } = createSimulatedClock(systemClock.now());
  let uses = 0;
  const counted =
    <Args extends unknown[], Result>(use: (...args: Args) => Result) =>
    (...args: Args): Result => {
      uses += 1;
      return use(...args);
    };
  const clock: Clock = {
    now: counted(simulated.now),
    monotonicMs: counted(simulated.monotonicMs),
    // The end of a turn needs no time to pass.
    wait: counted((ms, signal) => (ms > 0 ? simulated : systemClock).wait(ms, signal)),
    deadline: counted(simulated.deadline),
  };

  /** Resolves when nothing happens any more at this time, or when `isOver`. */
  const untilIdle = async (isOver = () => false) => {
    let seen = uses;
    for (let turns = 0; turns < idleTurns && !isOver(); turns += 1) {
      await passTurn();
      if (uses !== seen) turns = 0;
      seen = uses;
    }
  };

  /** Lets time pass until `work` has settled. */
  const during = async <T>(work: Promise<T>): Promise<T> => {
    const isSettled = settlementOf(work);
    while (!isSettled()) {
      await untilIdle(isSettled);
      if (isSettled() || !passToNextTimer()) continue;
      while (passToNextTimer(simulated.monotonicMs()));
    }
    return work;
  };

  return {
    clock,
    untilIdle: () => untilIdle(),
    during,
    /** The gateway, whose queries let time pass until their response, as its end and its restart do. */
    withTime: (gateway: TestGateway): TestGateway =>
      // Its addresses are getters, which a copy of their values would not follow over a restart.
      Object.assign(Object.create(gateway) as TestGateway, {
        query: (...request: Parameters<TestGateway['query']>) => during(gateway.query(...request)),
        restart: () => during(gateway.restart()),
        close: () => during(gateway.close()),
      }),

    /** Lets `ms` pass at once, as while a process is suspended: no wait ends in that time, and no loop polls. */
    suspend: advance,

    /** Lets `ms` pass, and everything happen that happens in that time. */
    pass: (ms: number) => pass(ms, untilIdle),
  };
}
