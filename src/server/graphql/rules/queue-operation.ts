import type { GraphQLError, GraphQLSchema } from 'graphql';
import type { Clock } from '../../../lib/clock.ts';
import { QueueBudget } from '../../../lib/queue-budget.ts';
import type { HttpRequest } from '../../http/http-request.ts';
import { refusalError } from '../../http/request-fault.ts';
import { overloaded } from '../../http/responses.ts';
import { RefusedReads } from '../refused-reads.ts';
import type { RequestedOperation, Rule, RuleVerdict } from '../rule.ts';

/** The expected wait in milliseconds for an upstream slot of a tenant when it exceeds the budget; else 0. */
export type UpstreamOverload = (tenant: string, isPurchase: boolean) => number;

/**
 * Queues each operation and export before it starts, and refuses it when its expected wait, for the event loop or for an upstream
 * slot of its tenant, exceeds the budget. Whether it is a purchase, or a question about purchases, comes from the marks of
 * the schema's fields. An operation that has started is finished.
 *
 * A document that was refused once is refused by the text of the body: without its JSON, estimate, scope and errors a refusal takes
 * about a third of the CPU time.
 */
export function queueOperation(
  queue: RequestQueue,
  upstreamOverloadMs: UpstreamOverload,
  schema: GraphQLSchema,
): Rule {
  const refusedReads = new RefusedReads(schema);
  const upstreamMs = ({ estimate, caller: { tenant } }: HttpRequest): number =>
    estimate?.upstreamCalls ? upstreamOverloadMs(tenant, estimate.isNeverLimited) : 0;

  /** After the wait: other operations may have filled the upstream's queue, or the client may have disconnected. */
  const afterWait = (request: HttpRequest): GraphQLError | null =>
    request.signal.aborted ? refusalError(overloaded(1)) : overloadOf(upstreamMs(request));

  const enter = (request: HttpRequest, operation?: RequestedOperation): RuleVerdict => {
    const isPurchase = request.estimate?.isNeverLimited === true;
    const waitMs = Math.max(queue.overloadMs(isPurchase), upstreamMs(request));
    if (waitMs > 0 && operation) refusedReads.add(operation, request);
    const wait = waitMs === 0 ? queue.enter(isPurchase) : null;
    return wait ? wait.then(() => afterWait(request)) : overloadOf(waitMs);
  };
  return {
    onBody(text, request) {
      const queueMs = queue.overloadMs(false);
      const slotMs = upstreamOverloadMs(request.caller.tenant, false);
      if (queueMs === 0 && slotMs === 0) return null;
      const read = refusedReads.find(text);
      const waitMs = Math.max(queueMs, read?.callsUpstream ? slotMs : 0);
      if (!read || waitMs === 0) return null;
      request.operation = read.operation;
      request.errorCodes.add('OVERLOADED');
      return overloaded(Math.ceil(waitMs / 1000));
    },
    onOperation: (operation, request) => enter(request, operation),
    onExport: (request) => enter(request),
  };
}

const overloadOf = (expectedWaitMs: number): GraphQLError | null =>
  expectedWaitMs === 0 ? null : refusalError(overloaded(Math.ceil(expectedWaitMs / 1000)));

interface Waiting {
  readonly sinceMs: number;
  readonly start: () => void;
}

/** How long a turn of the event loop may take, so that new requests and upstream replies get their turn. */
const maxTurnMs = 50;
/** Bounds of the starts per turn. So many that concurrent checks still share one bulk call. */
const minStarts = 20;
const maxStarts = 64;
/** The weight of the last turn in the smoothed figures. */
const lastTurnWeight = 0.1;

/**
 * The queue in front of execution. It protects the event loop: in one turn of the loop it starts only as many operations
 * as fit into 50 ms. Work that exceeds the CPU waits here, where its wait is known, and not in every started operation.
 *
 * The expected wait follows Little's law: queue depth × time per start, smoothed over the last turns. Purchases and
 * questions about purchases start first, and only those of their kind count as ahead of them.
 */
export class RequestQueue {
  readonly #clock: Pick<Clock, 'monotonicMs' | 'wait'>;
  readonly #budget: QueueBudget;
  readonly #purchases: Waiting[] = [];
  readonly #others: Waiting[] = [];
  #turnMs = 0;
  #startsPerTurn = 0;
  #startedInTurn = 0;
  #isCountingTurns = false;

  /** A request is refused when its expected wait is longer than `budgetMs`. */
  constructor(clock: Pick<Clock, 'monotonicMs' | 'wait'>, budgetMs: number) {
    this.#clock = clock;
    this.#budget = new QueueBudget(clock, budgetMs);
  }

  /** The expected wait in milliseconds when it exceeds the budget; 0 when a request may enter. */
  overloadMs(isPurchase: boolean): number {
    const ahead = this.#purchases.length + (isPurchase ? 0 : this.#others.length);
    const waitMs = ahead * this.#startMs();
    return waitMs > this.#budget.limitMs() ? waitMs : 0;
  }

  /** Resolves when the operation may start; null when it may at once. */
  enter(isPurchase: boolean): Promise<void> | null {
    if (!this.#isCountingTurns) void this.#countTurns();
    // While operations wait, as many as possible have started in this turn.
    if (this.#startedInTurn < this.#maxInTurn()) {
      this.#startedInTurn += 1;
      this.#budget.record(0);
      return null;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    const queue = isPurchase ? this.#purchases : this.#others;
    queue.push({ sinceMs: this.#clock.monotonicMs(), start: resolve });
    return promise;
  }

  /** Runs until a turn in which nothing started, so an idle gateway counts no turns. */
  async #countTurns(): Promise<void> {
    this.#isCountingTurns = true;
    let beganMs = this.#clock.monotonicMs();
    for (let isBusy = true; isBusy; ) {
      await this.#clock.wait(0);
      const nowMs = this.#clock.monotonicMs();
      this.#turnMs += (nowMs - beganMs - this.#turnMs) * lastTurnWeight;
      this.#startsPerTurn += (this.#startedInTurn - this.#startsPerTurn) * lastTurnWeight;
      beganMs = nowMs;
      isBusy = this.#startedInTurn > 0;
      this.#startedInTurn = 0;
      const most = this.#maxInTurn();
      while (this.#startedInTurn < most && this.#startNext(nowMs)) isBusy = true;
    }
    this.#isCountingTurns = false;
  }

  /** The smoothed time of a turn per operation that starts in it. */
  #startMs(): number {
    return this.#startsPerTurn > 0 ? this.#turnMs / this.#startsPerTurn : 0;
  }

  #maxInTurn(): number {
    const fitting = maxTurnMs / this.#startMs();
    return Math.min(maxStarts, Math.max(minStarts, Math.floor(fitting)));
  }

  #startNext(nowMs: number): boolean {
    const next = this.#purchases.shift() ?? this.#others.shift();
    if (!next) return false;
    this.#startedInTurn += 1;
    this.#budget.record(nowMs - next.sinceMs);
    next.start();
    return true;
  }
}
