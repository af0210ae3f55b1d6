import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Child, startChild } from '../engine/child.ts';
import { quantile } from '../engine/statistics.ts';
import { gatewayNodeArgs } from '../servers/table.ts';

/** A sandbox and a gateway, each in a process of its own. */
export interface Pair {
  readonly gateway: Child;
  readonly sandbox: Child;
  /** `data` of the response. @throws Error with the errors of the response. */
  query(document: string, variables?: object): Promise<Data>;
  close(): Promise<void>;
}

// biome-ignore lint/suspicious/noExplicitAny: the documents select the members
export type Data = any;

export interface PairOptions {
  readonly domains?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Writes files of the gateway before it starts. */
  readonly prepare?: (folder: string) => Promise<void>;
}

export async function startPair({
  domains = 1_000,
  env = {},
  prepare,
}: PairOptions): Promise<Pair> {
  const folder = mkdtempSync(join(tmpdir(), 'reseller-graph-bench-'));
  await prepare?.(folder);
  const common = { DATA_DIR: folder, SANDBOX_PORT: '0', SANDBOX_LATENCY: 'none', PORT: '0' };
  const sandbox = await startChild({
    file: 'sandbox/main.ts',
    args: ['--domains', String(domains), '--list-size', '0'],
    env: common,
    core: null,
  });
  const gateway = await startChild({
    file: 'src/main.ts',
    nodeArgs: gatewayNodeArgs,
    env: {
      ...common,
      DOMAIN_API_URL: `${sandbox.url}/domain-api`,
      LOG_LEVEL: 'error',
      ...env,
    },
    core: null,
  });
  return {
    gateway,
    sandbox,
    async query(query, variables = {}) {
      const { data, errors } = await responseOf(gateway, query, variables);
      if (errors) throw new Error(JSON.stringify(errors).slice(0, 500));
      return data;
    },
    async close() {
      await gateway.stop();
      await sandbox.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

/** The response to a document, which may have errors. */
export async function responseOf(
  { url }: Child,
  query: string,
  variables: object = {},
): Promise<Data> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  return response.json();
}

const pauseMs = 5;

/** Sends `GET /health/live` until `work` ends, each 5 ms after the response before; the durations in milliseconds. */
export async function liveWhile(gateway: Child, work: Promise<unknown>): Promise<number[]> {
  let isOver = false;
  const ended = work.finally(() => {
    isOver = true;
  });
  const spans: number[] = [];
  while (!isOver) {
    const startedMs = performance.now();
    await (await fetch(`${gateway.url}/health/live`)).arrayBuffer();
    spans.push(performance.now() - startedMs);
    await sleep(pauseMs);
  }
  await ended;
  return spans;
}

/** `p50 / p99 / most` of durations in milliseconds. */
export const spanCell = (spans: readonly number[]): string =>
  [0.5, 0.99, 1].map((share) => quantile(spans, share).toFixed(0)).join(' / ');

/** The value of each event of a stream. @throws Error when the gateway refuses the stream, or its signal is aborted. */
export async function* streamOf(
  { url }: Child,
  query: string,
  variables: object,
  signal: AbortSignal,
  onBytes: (bytes: number) => void = () => undefined,
): AsyncGenerator<Data> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ query, variables }),
    signal,
  });
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    onBytes((chunk as Uint8Array).length);
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    const events = text.split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) {
      const json = /^data: ?(\{.*\})$/m.exec(event)?.[1];
      if (!json) continue;
      const { data, errors } = JSON.parse(json);
      if (errors) throw new Error(JSON.stringify(errors).slice(0, 500));
      yield data;
    }
  }
}
