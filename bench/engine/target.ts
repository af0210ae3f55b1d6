import { isDeepStrictEqual } from 'node:util';
import { Pool } from 'undici';
import type { ServerRow } from '../servers/table.ts';
import type { Exchange, Workload } from '../workloads.ts';
import { type Child, startChild } from './child.ts';
import { fetchText, postToGraph } from './fetch.ts';

/** A measured server, running. */
export interface Target {
  readonly row: ServerRow;
  readonly child: Child;
}

/** A wrong response. A server that sends one must not be measured. */
export class WrongResponse extends Error {
  override readonly name = 'WrongResponse';
}

/** The server refused a request as overloaded. */
export class Refusal extends WrongResponse {}

interface StartOptions {
  readonly upstreamUrl: string;
  readonly dataDir: string;
  readonly core: string | null;
  readonly nodeArgs: readonly string[];
}

export async function startTarget(row: ServerRow, options: StartOptions): Promise<Target> {
  const { upstreamUrl, dataDir, core, nodeArgs } = options;
  const env = { ...row.env, DOMAIN_API_URL: upstreamUrl, DATA_DIR: dataDir };
  const allArgs = [...(row.nodeArgs ?? []), ...nodeArgs];
  const { file, args = [] } = row;
  return { row, child: await startChild({ file, args, env, core, nodeArgs: allArgs }) };
}

export const connect = ({ child }: Target, clients: number): Pool =>
  new Pool(child.url, { connections: clients, pipelining: 1 });

/** Sends one request and returns the text of the response, which has no errors. @throws WrongResponse */
export async function send(
  pool: Pool,
  { row }: Target,
  { document: query }: Workload,
  { path, variables }: Exchange,
): Promise<string> {
  const { status, text } = await (row.speaks === 'paths'
    ? fetchText(pool, 'GET', path, null)
    : postToGraph(pool, JSON.stringify({ query, variables })));
  if (status !== 200 || text.includes('"errors":[')) {
    const Fault = status === 503 ? Refusal : WrongResponse;
    throw new Fault(`${row.id} answered with ${status}: ${text.slice(0, 300)}`);
  }
  return text;
}

/** @throws WrongResponse when the response differs from the expected one. */
export function check({ row }: Target, { id }: Workload, exchange: Exchange, text: string): void {
  const { data } = JSON.parse(text);
  if (isDeepStrictEqual(data, exchange.expected())) return;
  throw new WrongResponse(`${row.id} answered ${id} with something else: ${text.slice(0, 300)}`);
}
