import { setTimeout as sleep } from 'node:timers/promises';

/** Sends requests to one server and counts those within a window of time. */
export interface LoadGenerator {
  /** Each client sends its next request when it has its response. The first requests are spread over the warm-up. */
  closedLoop(clients: number, seconds: Seconds): Promise<Tally>;
  /** Sends requests at a fixed rate, whether or not earlier ones have ended. */
  openLoop(perSecond: number, seconds: Seconds): Promise<Tally>;
}

interface Seconds {
  readonly warmUp: number;
  readonly counted: number;
}

type Outcome = 'done' | 'refused' | 'urgentDone' | 'urgentRefused' | 'failed';

export interface LoadGeneratorOptions<Reply> {
  /** Sends a request, by its number from 1 on. */
  send(number: number): Promise<Reply>;
  /** Classifies a reply after its time is measured. An exception of it ends the load. */
  judge(reply: Reply, number: number): Outcome;
  /** CPU time of the server so far; null where it is not available. */
  cpuMs(): number | null;
}

/** Milliseconds after which a refused client sends its next request. */
const comesBackMs = 10;

export function createLoadGenerator<Reply>(options: LoadGeneratorOptions<Reply>): LoadGenerator {
  const { cpuMs } = options;
  let last = 0;

  async function send(tally: Tally, dueAt: number): Promise<Outcome> {
    last += 1;
    const number = last;
    const sentAt = performance.now();
    tally.late.add(sentAt - dueAt);
    const reply = await options.send(number);
    const endedAt = performance.now();
    const outcome = options.judge(reply, number);
    tally.add(outcome, sentAt, endedAt);
    return outcome;
  }

  return {
    async closedLoop(clients, { warmUp, counted }) {
      const tally = new Tally();
      const client = async (_: unknown, at: number) => {
        await sleep((warmUp * 1000 * at) / clients);
        while (performance.now() < tally.toAt) {
          const outcome = await send(tally, performance.now());
          if (outcome === 'refused') await sleep(comesBackMs);
        }
      };
      await Promise.all([
        tally.count({ warmUp, counted }, cpuMs),
        ...Array.from({ length: clients }, client),
      ]);
      return tally;
    },
    async openLoop(perSecond, { warmUp, counted }) {
      const tally = new Tally();
      const window = tally.count({ warmUp, counted }, cpuMs);
      const beganAt = performance.now();
      const many = Math.floor(perSecond * (warmUp + counted));
      const pending: Promise<Outcome>[] = [];
      while (pending.length < many) {
        const dueNow = Math.ceil(((performance.now() - beganAt) * perSecond) / 1000);
        while (pending.length < Math.min(many, dueNow)) {
          pending.push(send(tally, beganAt + (pending.length * 1000) / perSecond));
        }
        await sleep(1);
      }
      await Promise.all([window, ...pending]);
      return tally;
    },
  };
}

/** The requests of one load. All times are milliseconds. */
export class Tally {
  /** The window, from when it begins and ends. */
  fromAt = Number.POSITIVE_INFINITY;
  toAt = Number.POSITIVE_INFINITY;
  /** CPU time of the server within the window; null where it is not available. */
  cpuMs: number | null = null;
  /** Requests that succeeded; one that is partly outside of the window counts as its share within. */
  answered = 0;
  /** Requests in and around the window. */
  sent = 0;
  /** Latencies of the requests that ended within the window. */
  readonly latencies: Readonly<Record<Outcome, Times>> = {
    ...{ done: new Times(), refused: new Times(), failed: new Times() },
    ...{ urgentDone: new Times(), urgentRefused: new Times() },
  };
  /** How much later than planned each request was sent, a delay of the load generator itself. */
  readonly late = new Times();

  get seconds(): number {
    return (this.toAt - this.fromAt) / 1000;
  }

  async count({ warmUp, counted }: Seconds, cpuMs: () => number | null): Promise<void> {
    await sleep(warmUp * 1000);
    const cpuBefore = cpuMs();
    this.fromAt = performance.now();
    await sleep(counted * 1000);
    const cpuAfter = cpuMs();
    this.toAt = performance.now();
    this.cpuMs = cpuBefore === null || cpuAfter === null ? null : cpuAfter - cpuBefore;
  }

  add(outcome: Outcome, sentAt: number, endedAt: number): void {
    this.sent += 1;
    const within = Math.min(endedAt, this.toAt) - Math.max(sentAt, this.fromAt);
    if (outcome === 'done' && within > 0) this.answered += within / (endedAt - sentAt);
    if (endedAt >= this.fromAt && endedAt < this.toAt) {
      this.latencies[outcome].add(endedAt - sentAt);
    }
  }
}

/** Numbers without an object for each: the load generator should not collect garbage while it sends. */
class Times {
  #ms = new Float64Array(4_096);
  #many = 0;

  add(ms: number): void {
    if (this.#many === this.#ms.length) {
      const more = new Float64Array(2 * this.#many);
      more.set(this.#ms);
      this.#ms = more;
    }
    this.#ms[this.#many] = ms;
    this.#many += 1;
  }

  get many(): number {
    return this.#many;
  }

  get all(): readonly number[] {
    return [...this.#ms.subarray(0, this.#many)];
  }
}
