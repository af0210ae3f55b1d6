import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import { observe } from '../../src/app/observe.ts';
import { readConfig } from '../../src/app/read-config.ts';
import type { SharedDeps } from '../../src/app/shared-deps.ts';
import { openTenants } from '../../src/app/tenants.ts';
import type { Environment } from '../../src/config/read-values.ts';
import type { SpendLimits } from '../../src/kernel/spend-limits.ts';
import { systemClock, systemRandomness } from '../../src/lib/system.ts';
import { createLog } from '../../src/observability/log.ts';
import type { Replicas } from '../../src/persistence/replicas.ts';
import { openSqliteJournal } from '../../src/persistence/sqlite.ts';
import type { Table } from '../../src/persistence/table.ts';
import { perTenant, type TenantFacts } from '../../src/scope/tenant.ts';
import { newFolder } from './folder.ts';
import { notableTlds } from './gateway.ts';

const failingRunner = perTenant('failingRunner', () => async () => {
  throw new Error('This item cannot be run.');
});

const users = { one: 'demo', two: 'demo-two' };
export const names = ['one', 'two'] as const;
export type Name = (typeof names)[number];

interface Options {
  readonly env?: Environment;
  /** Members of rows of TENANTS. */
  readonly rows?: Partial<Record<Name, object>>;
  readonly tables?: readonly Table[];
  readonly changes?: Partial<SharedDeps>;
  readonly replicas?: Replicas | null;
}

/** Tenants and their folders are closed and removed after each test. */
export function useTenants() {
  let opened = new AsyncDisposableStack();
  afterEach(async () => {
    await opened.disposeAsync();
    opened = new AsyncDisposableStack();
  });

  async function openFolder() {
    const folder = await newFolder('tenants');
    opened.defer(() => rm(folder, { recursive: true }));
    return folder;
  }

  async function openSandbox(): Promise<Sandbox> {
    const sandbox = await startSandbox({
      ...{ clock: systemClock, randomness: systemRandomness, reset: true, domains: 5 },
      listedTlds: notableTlds,
      file: join(await openFolder(), 'sandbox.sqlite'),
    });
    opened.defer(() => sandbox.close());
    return sandbox;
  }

  /** The tenants `one` and `two`, whose logins are in files, with a real journal. */
  async function open({ env, rows, tables = [], changes, replicas = null }: Options = {}) {
    const folder = await openFolder();
    const file = async (name: string, text: string) => {
      await writeFile(join(folder, name), text);
      return join(folder, name);
    };
    const entries = names.map(async (name) => [
      name,
      {
        usernameFile: await file(`${name}-user`, users[name]),
        passwordFile: await file(`${name}-password`, `${users[name]}-password`),
        ...rows?.[name],
      },
    ]);
    const config = readConfig({
      TENANTS: JSON.stringify(Object.fromEntries(await Promise.all(entries))),
      API_KEYS: JSON.stringify({ shop: { sha256: 'a'.repeat(64), tenant: 'one' } }),
      ...{ DOMAIN_MAX_AGE_SECONDS: '600', METRICS_PORT: '0', DATA_DIR: folder },
      EVENTS_INTERVAL_SECONDS: '0',
      ...env,
    });
    const journal = await openSqliteJournal({ file: join(folder, 'journal.db'), tables });
    opened.defer(() => journal.close());
    const lines: Record<string, unknown>[] = [];
    const log = createLog({ level: 'warn', write: (line) => void lines.push(JSON.parse(line)) });
    const clock = changes?.clock ?? systemClock;
    const observation = observe(config, clock, log);
    const tenants = await openTenants({
      ...{
        config,
        clock,
        cacheClock: clock,
        wallClock: clock,
        log,
        journal: { ...journal, replicas },
        observation,
        prices: { current: () => null, areMissing: false, onChange: () => () => undefined },
        features: { fills: [], background: [] },
        randomness: systemRandomness,
      },
      jobRunners: { ORDER: failingRunner },
      checksLogin: false,
      callers: null,
      embedded: changes?.embedded === undefined ? await openSandbox() : changes.embedded,
      reconcileEveryMs: 3_600_000,
      logOperation: () => undefined,
      gateway: { environment: 'SANDBOX', version: 'test' },
      ...changes,
    });
    opened.defer(() => tenants.close());
    const callerOf = (tenant: string, limits: SpendLimits = {}) => ({
      ...{ name: 'shop', tenant, customer: null, limits },
      scopes: new Set<never>(),
    });
    const depsOf = (tenant: string) => {
      const { facts, use } = tenants.of(callerOf(tenant));
      return { ...facts, use };
    };
    return {
      ...{ tenants, journal, lines, folder, depsOf },
      limitsOf: (tenant: string, limits: SpendLimits = {}) =>
        depsOf(tenant).limitsOf(callerOf(tenant, limits)),
      metrics: async () => (await observation.registry?.metrics()) ?? '',
    };
  }

  return { open, openSandbox };
}

export const idOf = ({ domainApi }: Pick<TenantFacts, 'domainApi'>) =>
  domainApi.resellerdetails({}, {}).then(({ upstreamId }) => upstreamId);
