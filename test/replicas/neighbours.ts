import { rm } from 'node:fs/promises';
import { systemClock } from '../../src/lib/system.ts';
import { newFolder } from '../support/folder.ts';
import { startTestGateway, type TestGateway, type TestGatewayOptions } from '../support/gateway.ts';
import { createDatabase } from '../support/postgres.ts';
import { dropNotifications, startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';

/** Long enough that no cache entry expires during a test. */
const patient = {
  TLD_MAX_AGE_SECONDS: '86400',
  DOMAIN_MAX_AGE_SECONDS: '3600',
  AVAILABILITY_MAX_AGE_SECONDS: '60',
};

/** Without the poll of the journal every second, so that only notices between replicas notify. */
const neverASecond = {
  ...systemClock,
  wait: (ms: number, signal?: AbortSignal) => systemClock.wait(ms === 1_000 ? 60_000 : ms, signal),
};

export interface Neighbours {
  /** The first gateway starts the sandbox that all of them call. */
  readonly first: TestGateway;
  readonly all: readonly TestGateway[];
  /** Of the database, without the proxy. */
  readonly databaseUrl: string;
  /** Between the gateways and the database. */
  readonly way: TcpProxy;
  close(): Promise<void>;
}

export interface NeighbourOptions extends TestGatewayOptions {
  /** Default 3. */
  readonly count?: number;
  /** Whether PostgreSQL is behind a pooler of transactions, which does not pass on notifications. */
  readonly isPooled?: boolean;
}

/** Gateways over one sandbox and one database. */
export async function startNeighbours({
  count = 3,
  isPooled = false,
  ...options
}: NeighbourOptions = {}): Promise<Neighbours> {
  const database = await createDatabase();
  const url = new URL(database.url);
  const way = await startTcpProxy(
    url.hostname,
    Number(url.port || 5432),
    isPooled ? dropNotifications : undefined,
  );
  const env = {
    ...patient,
    DATABASE_URL: Object.assign(url, { host: way.host }).href,
    DATA_DIR: await newFolder('neighbours'),
    ...options.env,
  };
  const start = (more: object = {}) =>
    startTestGateway({ clock: neverASecond, ...options, env: { ...env, ...more } });
  const first = await start();
  const apis = {
    DOMAIN_API_URL: `${first.sandboxUrl}/domain-api`,
    ACCOUNT_API_URL: `${first.sandboxUrl}/account-api`,
  };
  const others = await Promise.all(Array.from({ length: count - 1 }, () => start(apis)));
  return {
    first,
    all: [first, ...others],
    databaseUrl: database.url,
    way,
    async close() {
      await Promise.all(others.map((gateway) => gateway.close()));
      await first.close();
      await way.cut();
      await database.remove();
      await rm(env.DATA_DIR, { recursive: true });
    },
  };
}
