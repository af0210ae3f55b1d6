import { once } from 'node:events';
import {
  type ExecutionResult,
  type GraphQLError,
  type GraphQLSchema,
  OperationTypeNode,
} from 'graphql';
import type { Clock } from '../../lib/clock.ts';
import type { HttpRequest, RequestScope } from '../http/http-request.ts';
import type { WrittenResult } from './compiled/run.ts';
import {
  eventStreamDelivery,
  type IncrementalDelivery,
  incrementalDeliveryFor,
} from './delivery.ts';
import { type Exchange, headOf, refuseWith, write } from './exchange.ts';
import { beginParts, type Frames, framesOf } from './frames.ts';
import {
  createStreamPlanner,
  type OpenList,
  type OpenValues,
  type StreamPlan,
  type WrittenValue,
} from './open-stream.ts';
import type { Rules } from './rule.ts';
import { beginOperation, type Runnable, resultText } from './run-operation.ts';

interface StreamOptions {
  readonly schema: GraphQLSchema;
  readonly rules: Rules;
  /** Also sets `request.scope`. */
  readonly createScope: (request: HttpRequest) => RequestScope;
  readonly clock: Clock;
}

/**
 * Responds to a subscription, and to a query with one `@stream`, at its root: searches as they come. The results that are ready in
 * one turn of the event loop are sent together. Yoga responds to other documents whose responses have several parts.
 */
export class StreamPath {
  readonly #options: StreamOptions;
  readonly #planOf: ReturnType<typeof createStreamPlanner>;
  readonly #open = new Set<PartStream>();
  #isPinging = false;

  constructor(options: StreamOptions) {
    this.#options = options;
    this.#planOf = createStreamPlanner(options.schema);
  }

  /** Null for a document that Yoga has to execute, and for a client that accepts no parts; nothing was executed. */
  planOf(request: HttpRequest, { document, operation }: Runnable) {
    const isSubscription = operation.operation === OperationTypeNode.SUBSCRIPTION;
    const delivery = isSubscription
      ? eventStreamDelivery
      : incrementalDeliveryFor(request.header('accept'));
    const plan = delivery && this.#planOf(document, operation);
    return plan && { plan, delivery };
  }

  /** Responds, unless the client is gone. */
  async respond(
    exchange: Exchange,
    runnable: Runnable,
    { plan, delivery }: { readonly plan: StreamPlan; readonly delivery: IncrementalDelivery },
  ): Promise<void> {
    const { rules } = this.#options;
    const { request } = exchange;
    const { scope, requested, refusal } = await beginOperation(this.#options, request, runnable);
    if (refusal) return refuseWith(rules, exchange, [refusal]);
    const opened = await plan(requested, scope, () => request.response.destroyed);
    if ('errors' in opened) return refuseWith(rules, exchange, opened.errors);
    if ('whole' in opened) return writeWhole(rules, exchange, opened.whole);
    const { values, parts } =
      'list' in opened
        ? { values: opened.list.values, parts: new ListParts(opened.first, opened.list, delivery) }
        : { values: opened.events, parts: eventParts };
    const stream = new PartStream(
      request,
      { values, parts, frames: framesOf(delivery) },
      this.#options,
    );
    this.#open.add(stream);
    void this.#pingAll();
    try {
      await stream.send();
    } finally {
      this.#open.delete(stream);
    }
  }

  /** While streams are open. The timer does not keep the process alive. */
  async #pingAll(): Promise<void> {
    if (this.#isPinging) return;
    this.#isPinging = true;
    while (this.#open.size > 0) {
      using pause = this.#options.clock.deadline(pingMs);
      await once(pause.signal, 'abort');
      for (const stream of this.#open) stream.ping();
    }
    this.#isPinging = false;
  }

  /** Ends the streams whose credential is no longer valid, without waiting for their next part. */
  checkStreams(): void {
    // After an unexpected error the stream continues; its next part meets the same error.
    for (const stream of this.#open) stream.check().catch(() => undefined);
  }

  /** Completes the subscriptions. A list is sent to its end. */
  endStreams(): void {
    for (const stream of this.#open) if (stream.isSubscription) stream.end();
  }
}

function writeWhole(rules: Rules, exchange: Exchange, { result, dataText }: WrittenResult): void {
  const finished = rules.finishResult(result, exchange.request);
  const { status } = headOf(finished, exchange.type);
  write(exchange, status, resultText(finished, dataText));
}

/** A part without its long texts. */
interface Part {
  readonly result: ExecutionResult;
  readonly textOf: (finished: ExecutionResult) => string;
}

interface Parts {
  /** Before the first value; null for none. */
  readonly first: Part | null;
  /** `from` is the place of the first of these values. */
  of(values: readonly WrittenValue[], from: number, isEnd: boolean): readonly Part[];
}

const partOf = ({ result, dataText }: WrittenResult): Part => ({
  result,
  textOf: (finished) => resultText(finished, dataText),
});

/** One part for each event of a subscription. */
const eventParts: Parts = { first: null, of: (values) => values.map(partOf) };

/** The parts of a list, in the form that the client reads. */
class ListParts implements Parts {
  readonly first: Part;
  readonly #list: OpenList;
  readonly #isAnnounced: boolean;

  constructor(first: WrittenResult, list: OpenList, { form }: IncrementalDelivery) {
    this.#list = list;
    this.#isAnnounced = form === 'incrementalSpec=v0.2';
    const { name, label } = list;
    const pending = [{ id, path: [name], ...(label !== null && { label }) }];
    const result = { ...first.result, ...(this.#isAnnounced && { pending }), hasNext: true };
    this.first = { ...partOf(first), result };
  }

  of(values: readonly WrittenValue[], from: number, isEnd: boolean): readonly Part[] {
    const items = values.filter(({ isLast }) => !isLast);
    const failure = values.find(({ isLast }) => isLast)?.result.errors;
    const hasNext = !isEnd;
    const errors = items.flatMap(({ result }) => result.errors ?? []);
    const about = (at: number, failed: readonly GraphQLError[]) => {
      const { name, label } = this.#list;
      const where = { path: [name, at], ...(label !== null && { label }) };
      return {
        ...(this.#isAnnounced ? { id } : where),
        ...(failed.length > 0 && { errors: failed }),
      };
    };
    const incremental: object[] = items.length > 0 ? [about(from, errors)] : [];
    if (failure && !this.#isAnnounced) {
      incremental.push({ items: null, ...about(from + items.length, failure) });
    }
    const completed =
      this.#isAnnounced && isEnd ? [{ id, ...(failure && { errors: failure }) }] : [];
    const result: ExecutionResult & Record<string, unknown> = {
      ...(incremental.length > 0 && { incremental }),
      ...(completed.length > 0 && { completed }),
      hasNext,
    };
    const itemsText = items.length > 0 ? items.map(({ dataText }) => dataText).join() : null;
    return [{ result, textOf: (finished) => listText(finished, itemsText) }];
  }
}

/** There is one list. */
const id = '0';

/** A part as JSON, with this text of the items of its first record. */
function listText(part: ExecutionResult, itemsText: string | null): string {
  const { incremental, ...rest } = part as ExecutionResult & { incremental?: readonly object[] };
  if (!incremental) return JSON.stringify(rest);
  const records = incremental.map((record, at) => {
    const text = JSON.stringify(record);
    return at === 0 && itemsText !== null ? `{"items":[${itemsText}],${text.slice(1)}` : text;
  });
  return `{"incremental":[${records.join()}],${JSON.stringify(rest).slice(1)}`;
}

/** Values that are read and not sent, at most. */
const maxOpenValues = 100;
const pingMs = 12_000;

interface StreamParts {
  readonly values: OpenValues;
  readonly parts: Parts;
  readonly frames: Frames;
}

/** One open response. */
class PartStream {
  readonly #request: HttpRequest;
  readonly #stream: StreamParts;
  readonly #options: StreamOptions;
  #ready: WrittenValue[] = [];
  #sent: number;
  #read: number;
  /** Whether no value follows those that are ready. */
  #isEnd = false;
  /** Why the stream ends before its source does. */
  #refusal: GraphQLError | null = null;
  #changed = Promise.withResolvers<void>();
  #isClosed = false;

  constructor(request: HttpRequest, stream: StreamParts, options: StreamOptions) {
    this.#request = request;
    this.#stream = stream;
    this.#options = options;
    this.#sent = stream.values.from;
    this.#read = this.#sent;
  }

  async send(): Promise<void> {
    const { response } = this.#request;
    const { clock, rules } = this.#options;
    const { parts, frames } = this.#stream;
    response.once('close', () => this.#close());
    response.on('drain', () => this.#notify());
    beginParts(this.#request, frames);
    response.write(frames.begin + (parts.first ? this.#textOf([parts.first]) : ''));
    void this.#readAll();
    while (!response.destroyed) {
      if (response.writableNeedDrain || !(this.#ready.length > 0 || this.#isEnd || this.#refusal)) {
        await this.#changed.promise;
        continue;
      }
      // Values that are ready in one turn of the event loop are one part.
      if (!this.#isEnd) await clock.wait(0);
      this.#refusal ??= await rules.check('onPart', this.#request);
      if (response.destroyed) break;
      const isEnd = this.#isEnd || this.#refusal !== null;
      const text = this.#textOf(
        this.#refusal
          ? [partOf({ result: { errors: [this.#refusal] }, dataText: '' })]
          : parts.of(this.#ready, this.#sent, isEnd),
      );
      if (isEnd) {
        response.end(text + frames.end);
        break;
      }
      response.write(text);
      this.#sent += this.#ready.length;
      this.#ready = [];
      this.#notify();
    }
    this.#close();
  }

  /** Ends the stream when its request is refused now. */
  async check(): Promise<void> {
    this.#refusal = await this.#options.rules.check('onPart', this.#request);
    if (this.#refusal) this.#notify();
  }

  get isSubscription(): boolean {
    return this.#stream.parts === eventParts;
  }

  /** Ends the stream after the values that are ready. */
  end(): void {
    this.#isEnd = true;
    this.#notify();
  }

  #textOf(parts: readonly Part[]): string {
    const { frames } = this.#stream;
    return parts
      .map(({ result, textOf }) =>
        frames.part(textOf(this.#options.rules.finishResult(result, this.#request, true))),
      )
      .join('');
  }

  async #readAll(): Promise<void> {
    const { source, complete, fail } = this.#stream.values;
    let pending: Promise<void> | null = null;
    const isOver = () => this.#isEnd || this.#isClosed;
    try {
      for (;;) {
        while (this.#read - this.#sent >= maxOpenValues && !isOver()) await this.#changed.promise;
        if (isOver()) return;
        const next = await source.next();
        if (next.done) break;
        const value = complete(next.value, this.#read);
        this.#read += 1;
        if (!pending && !(value instanceof Promise)) this.#add(value);
        else pending = this.#addAfter(pending, value);
      }
      await pending;
    } catch (error) {
      await pending;
      this.#add(fail(error, this.#read));
    }
    this.end();
  }

  async #addAfter(pending: Promise<void> | null, value: WrittenValue | Promise<WrittenValue>) {
    const [one] = await Promise.all([value, pending]);
    this.#add(one);
  }

  #add(value: WrittenValue): void {
    if (this.#isEnd) return;
    this.#ready.push(value);
    this.#isEnd = value.isLast;
    this.#notify();
  }

  /** Keeps the connection open while there are no events. */
  ping(): void {
    const { ping } = this.#stream.frames;
    const { response } = this.#request;
    if (ping !== null && response.writableLength === 0 && !response.writableEnded) {
      response.write(ping);
    }
  }

  #close(): void {
    this.#isClosed = true;
    void Promise.resolve(this.#stream.values.source.return?.()).catch(() => undefined);
    this.#notify();
  }

  #notify(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers<void>();
  }
}
