import type { GraphQLError, GraphQLSchema } from 'graphql';
import type { Clock } from '../../../lib/clock.ts';
import { endOfString } from '../../../lib/json.ts';
import { QueueBudget } from '../../../lib/queue-budget.ts';
import type { OperationFacts } from '../../../observability/tracing.ts';
import type { HttpRequest } from '../../http/http-request.ts';
import { refusalError } from '../../http/request-fault.ts';
import { overloaded } from '../../http/responses.ts';
import { cachedByText } from '../documents.ts';
import type { RequestedOperation, Rule, RuleVerdict } from '../rule.ts';

interface RefusedRead {
  /** Whether its last refused request may have needed an upstream call. */
  readonly callsUpstream: boolean;
  readonly operation: OperationFacts | null;
}

/**
 * The documents of queries that were refused for overload. They are valid, and contain no name of a field about purchases, so
 * no request with one of them is about a purchase.
 */
class RefusedReads {
  readonly #known = cachedByText<RefusedRead>();
  readonly #purchases: RegExp;

  constructor(schema: GraphQLSchema) {
    const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
    const names = roots
      .flatMap((type) => Object.values(type?.getFields() ?? {}))
      .filter(({ extensions }) => extensions.purchase === true || extensions.neverLimited === true)
      .map(({ name }) => name);
    this.#purchases = new RegExp(`\\b(?:${names.join('|')})\\b`);
  }

  add({ operation, text }: RequestedOperation, { estimate, operation: facts }: HttpRequest): void {
    if (operation.operation !== 'query' || this.#purchases.test(text)) return;
    this.#known.set(JSON.stringify(text), {
      callsUpstream: (estimate?.upstreamCalls ?? 0) > 0,
      operation: facts,
    });
  }

  find(body: string): RefusedRead | null {
    const document = documentIn(body);
    return document === null ? null : (this.#known.get(document) ?? null);
  }
}

/**
 * The document as JSON in a body whose first or last member it is; null for other bodies. Of a body that is not JSON, or names
 * several documents, it may be a wrong text; such a body is refused anyway.
 */
function documentIn(body: string): string | null {
  const first = firstQuery.exec(body)?.[0];
  const start = first?.length ?? body.lastIndexOf(lastQuery) + lastQuery.length;
  if (start < lastQuery.length) return null;
  const end = endOfString(body, start - 1);
  const isWhole = first ? end > 0 : end === body.length - 2;
  return isWhole ? body.slice(start - 1, end + 1) : null;
}

const firstQuery = /^\{\s*"query"\s*:\s*"/;
const lastQuery = ',"query":"';

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
