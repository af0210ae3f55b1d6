import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { startSandbox } from '../../sandbox/server.ts';
import { systemClock, systemRandomness } from '../../src/lib/system.ts';
import { newFolder } from '../support/folder.ts';
import { notableTlds } from '../support/gateway.ts';
import { runOnPostgres } from '../support/postgres.ts';
import { type ProcessOptions, type Running, startProcess } from '../support/process.ts';

/** A sandbox that outlives every gateway, and a journal that the gateways share. */
export interface Deployment {
  /** Of each gateway; a command with the same settings uses the same journal. */
  readonly settings: Readonly<Record<string, string>>;
  /** Starts a gateway in a process of its own. */
  start(options?: ProcessOptions): Promise<Running>;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into responses of any shape
  admin(method: string, path: string, body?: object): Promise<any>;
  /** The calls of an action that the service received. */
  countCalls(action: string): Promise<number>;
  /** Executes a statement on the journal without a gateway. */
  statement(sql: string): Promise<void>;
  close(): Promise<void>;
}

export interface DeploymentOptions {
  /** The URL of the journal; null for a SQLite file. */
  readonly databaseUrl: string | null;
  readonly env?: Readonly<Record<string, string>>;
  /** Of each gateway. */
  readonly overrides?: ProcessOptions['overrides'];
}

export async function openDeployment({
  databaseUrl,
  env = {},
  overrides,
}: DeploymentOptions): Promise<Deployment> {
  const sandbox = await startSandbox({
    file: ':memory:',
    clock: systemClock,
    randomness: systemRandomness,
    domains: 40,
    listedTlds: notableTlds,
  });
  const directory = await newFolder('deployment');
  const started: Running[] = [];
  const admin: Deployment['admin'] = async (method, path, body) => {
    const headers = { 'content-type': 'application/json' };
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    return (await fetch(`${sandbox.url}/admin${path}`, init)).json();
  };
  const settings = {
    PORT: '0',
    DATA_DIR: directory,
    DOMAIN_API_URL: sandbox.domainApiUrl,
    ...(databaseUrl !== null && { DATABASE_URL: databaseUrl }),
    ...env,
  };
  return {
    settings,
    admin,
    async countCalls(action) {
      const calls: readonly { readonly action: string }[] = await admin('GET', '/calls');
      return calls.filter((call) => call.action === action).length;
    },
    async start(options) {
      const gateway = await startProcess('src/main', settings, [], { overrides, ...options });
      started.push(gateway);
      return gateway;
    },
    async statement(sql) {
      if (databaseUrl === null) {
        const journal = new DatabaseSync(join(directory, 'sandbox-journal.sqlite'));
        journal.exec(sql);
        journal.close();
        return;
      }
      await runOnPostgres(sql, databaseUrl);
    },
    async close() {
      await Promise.all(started.map((gateway) => gateway.kill()));
      await sandbox.close();
      rmSync(directory, { recursive: true });
    },
  };
}

export async function sendQuery(
  { origin }: Running,
  query: string,
  variables: object = {},
  headers: Readonly<Record<string, string>> = {},
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into responses of any shape
): Promise<any> {
  const response = await fetch(`${origin}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query, variables }),
  });
  return (await response.json()).data;
}

export const buy = `mutation ($input: RegisterDomainInput!) {
  registerDomain(input: $input) { purchase { id state } replayed errors { code executed } } }`;
