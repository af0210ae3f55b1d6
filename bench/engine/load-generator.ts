import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'undici';
import { post } from './post.ts';

/** Sends requests to one gateway and counts those that end within the measured seconds. */
export interface LoadGenerator {
  /** Each client sends its next request when it has its response. */
  closedLoop(clients: number, seconds: Seconds): Promise<Tally>;
  /** Sends requests at a fixed rate, whether or not earlier ones have ended. */
  openLoop(perSecond: number, seconds: Seconds): Promise<Tally>;
}

interface Seconds {
  /** Warm-up. */
  readonly runIn: number;
  readonly counted: number;
}

export interface LoadGeneratorOptions {
  readonly pool: Pool;
  /** The body of a request, by its number, which is used once. */
  readonly bodyOf: (number: number) => string;
  /** The body of a request that must not be refused. */
  readonly urgentBody: string;
  /** One of this many requests is such a request. */
  readonly urgentEvery: number;
}

/** Outcomes of requests. All times are milliseconds since the request was passed to the client. */
export interface Tally {
  readonly seconds: number;
  readonly fromAt: number;
  readonly toAt: number;
  readonly done: Times;
  readonly refused: Times;
  readonly urgentDone: Times;
  readonly urgentRefused: Times;
  /** Anything else. */
  readonly odd: Times;
  /** How much later than planned each request was sent, a delay of the load generator itself. */
  readonly late: Times;
}

/** Milliseconds after which a refused client sends its next request. */
const comesBackMs = 10;

export function createLoadGenerator({
  pool,
  bodyOf,
  urgentBody,
  urgentEvery,
}: LoadGeneratorOptions): LoadGenerator {
  let last = 0;

  async function send(tally: Tally, dueAt: number): Promise<Times> {
    last += 1;
    const isUrgent = last % urgentEvery === 0;
    const body = isUrgent ? urgentBody : bodyOf(last);
    const sentAt = performance.now();
    tally.late.add(sentAt - dueAt);
    const times = await post(pool, body).then(
      ({ status, text }) => {
        if (status === 503 && text.includes('"OVERLOADED"')) {
          return isUrgent ? tally.urgentRefused : tally.refused;
        }
        if (status !== 200 || text.includes('"errors":[')) return tally.odd;
        return isUrgent ? tally.urgentDone : tally.done;
      },
      () => tally.odd,
    );
    const endedAt = performance.now();
    if (endedAt >= tally.fromAt && endedAt < tally.toAt) times.add(endedAt - sentAt);
    return times;
  }

  return {
    async closedLoop(clients, seconds) {
      const tally = createTally(seconds);
      const client = async () => {
        while (performance.now() < tally.toAt) {
          const came = await send(tally, performance.now());
          if (came === tally.refused) await sleep(comesBackMs);
        }
      };
      await Promise.all(Array.from({ length: clients }, client));
      return tally;
    },
    async openLoop(perSecond, seconds) {
      const tally = createTally(seconds);
      const beganAt = performance.now();
      const many = Math.floor((perSecond * (tally.toAt - beganAt)) / 1000);
      let pending = 0;
      const leave = () => {
        pending -= 1;
      };
      for (let at = 0; at < many; ) {
        const dueNow = Math.ceil(((performance.now() - beganAt) * perSecond) / 1000);
        for (; at < Math.min(many, dueNow); at += 1) {
          pending += 1;
          void send(tally, beganAt + (at * 1000) / perSecond).then(leave);
        }
        await sleep(1);
      }
      while (pending > 0) await sleep(1);
      return tally;
    },
  };
}

function createTally({ runIn, counted }: Seconds): Tally {
  const fromAt = performance.now() + runIn * 1000;
  return {
    seconds: counted,
    fromAt,
    toAt: fromAt + counted * 1000,
    done: new Times(),
    refused: new Times(),
    urgentDone: new Times(),
    urgentRefused: new Times(),
    odd: new Times(),
    late: new Times(),
  };
}

/** Numbers without an object for each: the load generator should not collect garbage while it sends. */
export class Times {
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
