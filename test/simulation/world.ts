import { createHash } from 'node:crypto';
import { createRandom, type Random } from './random.ts';

/** The process of an event. A dead process gets no events, and a paused one gets them later. */
export interface Owner {
  readonly name: string;
  alive: boolean;
  /** Its events wait until this time. */
  pausedUntilMs: number;
  /** The sum of its pauses. */
  pausedMs: number;
}

/** Time, randomness and order of a simulated run, in one thread and without real time. */
export interface World {
  readonly random: Random;
  /** Milliseconds since the start of the run: the true time, from which the clocks of processes can differ. */
  nowMs(): number;
  /** Schedules an event; it belongs to no process when `owner` is null. */
  after(delayMs: number, owner: Owner | null, happen: () => void): void;
  /** The same as a promise. */
  pass(delayMs: number, owner?: Owner | null): Promise<void>;
  /** A line of the run; all of them together make its hash. */
  trace(line: string): void;
  /** A promise of the product that was broken. */
  violate(invariant: string, sentence: string): void;
  readonly violations: readonly string[];
  /** Runs events one after the other until `isDone` or `limitMs`. */
  run(isDone: () => boolean, limitMs: number): Promise<void>;
  hash(): string;
  /** Every line, when the run stores them. */
  readonly lines: readonly string[];
}

interface Event {
  readonly atMs: number;
  /** Decides between events of one time. */
  readonly order: number;
  readonly owner: Owner | null;
  readonly happen: () => void;
}

export function createWorld(seed: number, keepsLines: boolean): World {
  const random = createRandom(seed);
  const queue = createQueue();
  const hash = createHash('sha256');
  const lines: string[] = [];
  const violations: string[] = [];
  let nowMs = 0;

  const trace = (text: string) => {
    const line = `${nowMs.toFixed(3)} ${text}`;
    hash.update(line).update('\n');
    if (keepsLines) lines.push(line);
  };
  const after: World['after'] = (delayMs, owner, happen) =>
    queue.push({ atMs: nowMs + Math.max(0, delayMs), order: random.fraction(), owner, happen });

  return {
    random,
    nowMs: () => nowMs,
    after,
    pass: (delayMs, owner = null) => new Promise((resolve) => after(delayMs, owner, resolve)),
    trace,
    violate(invariant, sentence) {
      trace(`VIOLATED ${invariant} ${sentence}`);
      violations.push(`${invariant}: ${sentence}`);
    },
    violations,
    run: (isDone, limitMs) =>
      inTurns(() => {
        if (violations.length > 0 || nowMs >= limitMs || isDone()) return false;
        const event = queue.pop();
        if (!event) return false;
        nowMs = Math.max(nowMs, event.atMs);
        const { owner } = event;
        if (owner && !owner.alive) return true;
        if (owner && owner.pausedUntilMs > nowMs) {
          queue.push({ ...event, atMs: owner.pausedUntilMs });
        } else event.happen();
        return true;
      }),
    hash: () => hash.copy().digest('hex'),
    lines,
  };
}

/** A turn of the event loop costs system calls, so many events share one. */
const eventsPerTurn = 64;

/**
 * Calls `step` until it returns false. All promises and `nextTick` callbacks of a step run before the next one, because
 * Node runs them between two immediates and no event waits for real time.
 */
const inTurns = (step: () => boolean): Promise<void> =>
  new Promise((resolve, reject) => {
    let hasEnded = false;
    const once = () => {
      if (hasEnded) return;
      try {
        hasEnded = !step();
        if (hasEnded) resolve();
      } catch (error) {
        hasEnded = true;
        reject(error);
      }
    };
    const turn = () => {
      if (hasEnded) return;
      for (let at = 0; at < eventsPerTurn; at += 1) setImmediate(once);
      setImmediate(turn);
    };
    setImmediate(turn);
  });

/** A binary heap, earliest first. */
function createQueue() {
  const heap: Event[] = [];
  const isBefore = (one: Event, other: Event) =>
    one.atMs < other.atMs || (one.atMs === other.atMs && one.order < other.order);
  const swap = (one: number, other: number) => {
    const first = heap[one] as Event;
    heap[one] = heap[other] as Event;
    heap[other] = first;
  };
  const rise = (from: number) => {
    for (let at = from; at > 0; ) {
      const parent = (at - 1) >> 1;
      if (!isBefore(heap[at] as Event, heap[parent] as Event)) return;
      swap(at, parent);
      at = parent;
    }
  };
  const sink = () => {
    for (let at = 0; ; ) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      let least = at;
      for (const child of [left, right]) {
        if (child < heap.length && isBefore(heap[child] as Event, heap[least] as Event)) {
          least = child;
        }
      }
      if (least === at) return;
      swap(at, least);
      at = least;
    }
  };
  return {
    push(event: Event): void {
      heap.push(event);
      rise(heap.length - 1);
    },
    pop(): Event | undefined {
      const [first] = heap;
      const last = heap.pop();
      if (first && last && heap.length > 0) {
        heap[0] = last;
        sink();
      }
      return first;
    },
  };
}
