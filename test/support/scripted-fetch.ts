import { createClient } from '../../client/index.ts';
import type { ClientOptions } from '../../client/transport.ts';

/** One response to a request. It rejects as `fetch` does when the connection fails or the signal aborts. */
export type Step = (init: RequestInit) => Response | Promise<Response>;

export interface SentBody {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
}

export const url = 'https://graph.example/graphql';

/** A `fetch` whose nth call gets the nth step. It records the calls. */
function scriptedFetch(steps: readonly Step[]) {
  const calls: { readonly input: unknown; readonly init: RequestInit; readonly atMs: number }[] =
    [];
  const fetch = async (input: unknown, init: RequestInit = {}): Promise<Response> => {
    const step = steps[calls.length];
    calls.push({ input, init, atMs: Date.now() });
    if (!step) throw new Error(`There is no step for request ${calls.length}.`);
    return step(init);
  };
  return {
    fetch: fetch as typeof globalThis.fetch,
    calls,
    /** The bodies of the requests. */
    bodies: (): readonly SentBody[] => calls.map(({ init }) => JSON.parse(String(init.body))),
    /** The milliseconds from each request to the next one. */
    pauses: () => calls.slice(1).map(({ atMs }, at) => atMs - (calls[at]?.atMs ?? Number.NaN)),
  };
}

/** A client of a gateway that responds with the steps. */
export function connectScripted(steps: readonly Step[], options: Partial<ClientOptions> = {}) {
  const script = scriptedFetch(steps);
  return { ...script, client: createClient({ url, fetch: script.fetch, ...options }) };
}

export const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Step =>
  () =>
    new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers });

export const unreachable: Step = () => {
  throw new TypeError('fetch failed');
};

/** The head never arrives. */
export const hanging: Step = ({ signal }) =>
  new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason));
  });

const encoder = new TextEncoder();

/** A response whose body arrives as the test decides. */
export function openBody(head: ResponseInit = {}) {
  let body: ReadableStreamDefaultController<Uint8Array> | undefined;
  let isCancelled = false;
  const send = (text: string) => body?.enqueue(encoder.encode(text));
  return {
    step: (({ signal }) => {
      const stream = new ReadableStream<Uint8Array>({
        start(controller) {
          body = controller;
          signal?.addEventListener('abort', () => controller.error(signal.reason));
        },
        cancel() {
          isCancelled = true;
        },
      });
      return new Response(stream, { headers: { 'content-type': 'text/event-stream' }, ...head });
    }) satisfies Step,
    send,
    /** A result of a subscription. */
    next: (result: unknown) => send(`event: next\ndata: ${JSON.stringify(result)}\n\n`),
    /** The gateway ends the stream, as it does before it stops. */
    complete() {
      send('event: complete\ndata:\n\n');
      body?.close();
    },
    /** The connection ends without the last event of a stream. */
    end: () => body?.close(),
    /** The connection is reset. */
    reset: () => body?.error(new TypeError('terminated')),
    isCancelled: () => isCancelled,
  };
}

/** A subscription with these results, and its end. */
const streamed =
  (all: readonly unknown[], end: (body: ReturnType<typeof openBody>) => void): Step =>
  (init) => {
    const body = openBody();
    const response = body.step(init);
    for (const result of all) body.next(result);
    end(body);
    return response;
  };

const resultsOf = (data: readonly unknown[]) => data.map((one) => ({ data: one }));

/** A subscription with these data, which the gateway then ends. */
export const results = (...all: readonly unknown[]): Step =>
  streamed(resultsOf(all), (body) => body.complete());

/** A subscription that the graph refuses. */
export const refused = (code: string): Step =>
  streamed([{ errors: [{ message: 'Refused.', extensions: { code } }] }], (body) =>
    body.complete(),
  );

/** A subscription with these data, whose connection is lost a millisecond later. */
export const lostAfter = (...all: readonly unknown[]): Step =>
  streamed(resultsOf(all), (body) => void setTimeout(body.end, 1));

/** The values of a stream so far, and its end. */
export function observe<Value>(stream: AsyncIterable<Value>) {
  const values: Value[] = [];
  const seen: { values: readonly Value[]; isEnded: boolean; error: unknown } = {
    ...{ values, isEnded: false, error: undefined },
  };
  const read = async () => {
    try {
      for await (const value of stream) values.push(value);
    } catch (error) {
      seen.error = error;
    }
    seen.isEnded = true;
  };
  void read();
  return seen;
}

export async function collect<Value>(stream: AsyncIterable<Value>): Promise<readonly Value[]> {
  const all: Value[] = [];
  for await (const value of stream) all.push(value);
  return all;
}
