import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterEach, describe, expect, test } from 'vitest';
import { systemClock, systemRandomness } from '../../../src/kernel/system.ts';
import { type Sandbox, startSandbox } from '../../../src/sandbox/server.ts';
import { type Running, startProcess } from '../../support/process.ts';
import { order } from './shop.ts';

const clean: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const one of clean.splice(0).toReversed()) await one();
});

/** A reseller that outlives the gateway, and where that gateway keeps its journal. */
async function openStreet(databaseUrl: string | null) {
  const clock = systemClock;
  const randomness = systemRandomness;
  const sandbox = await startSandbox({ file: ':memory:', clock, randomness, domains: 40 });
  clean.push(() => sandbox.close());
  const directory = mkdtempSync(join(tmpdir(), 'reseller-graph-killed-gateway-'));
  clean.push(async () => rmSync(directory, { recursive: true }));
  const env = {
    PORT: '0',
    DATA_DIR: directory,
    DOMAIN_API_URL: sandbox.domainApiUrl,
    ...(databaseUrl !== null && { DATABASE_URL: databaseUrl }),
  };
  const start = async () => {
    const gateway = await startProcess('main.ts', env);
    clean.push(() => gateway.kill());
    return gateway;
  };
  return { sandbox, start };
}

// biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of any shape
async function ask({ origin }: Running, query: string, variables: object = {}): Promise<any> {
  const response = await fetch(`${origin}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  return (await response.json()).data;
}

// biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of any shape
async function admin({ url }: Sandbox, method: string, path: string, body?: object): Promise<any> {
  const headers = { 'content-type': 'application/json' };
  const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
  return (await fetch(`${url}/admin${path}`, init)).json();
}

const buy = `mutation ($input: RegisterDomainInput!) {
  registerDomain(input: $input) { operation { state } replayed errors { code } } }`;
const input = order({ domain: 'bought-in-the-dark.com', period: 1, idempotencyKey: 'the-key' });
const read = '{ operationByKey(key: "the-key") { state } }';

async function surviveTheKill(databaseUrl: string | null, hold: 'hold-before' | 'hold-after') {
  const { sandbox, start } = await openStreet(databaseUrl);
  const first = await start();
  await admin(sandbox, 'POST', '/faults', { fault: hold, action: 'registerdomain' });
  const unanswered = ask(first, buy, { input }).catch(() => 'no answer');
  await expect.poll(async () => (await admin(sandbox, 'GET', '/held')).held).toBe(1);

  await first.kill();
  await unanswered;
  await admin(sandbox, 'POST', '/release');
  const second = await start();

  const settled = async () => (await ask(second, read)).operationByKey.state;
  await expect.poll(settled, { timeout: 10_000 }).toBe('SUCCEEDED');
  const again = await ask(second, buy, { input });
  expect(again.registerDomain).toEqual({
    operation: { state: 'SUCCEEDED' },
    replayed: true,
    errors: [],
  });
  const { purchases, calls } = await admin(sandbox, 'GET', '/state');
  expect(purchases).toHaveLength(1);
  expect(calls.registerdomain).toBe(1);
}

describe.each(['hold-before', 'hold-after'] as const)('a gateway that is killed at %s', (hold) => {
  test('finds its purchase after the next start, journal on SQLite', () =>
    surviveTheKill(null, hold));

  test('finds its purchase after the next start, journal on PostgreSQL', async ({ skip }) => {
    const server = process.env.DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';
    const client = new Client({ connectionString: server, connectionTimeoutMillis: 2_000 });
    const isThere = await client.connect().then(
      () => true,
      () => false,
    );
    skip(!isThere, 'no PostgreSQL at DATABASE_URL or on loopback');
    const name = `killed_${randomUUID().replaceAll('-', '')}`;
    await client.query(`create database ${name}`);
    clean.push(async () => {
      await client.query(`drop database ${name} with (force)`);
      await client.end();
    });

    await surviveTheKill(Object.assign(new URL(server), { pathname: name }).href, hold);
  });
});
