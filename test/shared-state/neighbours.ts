import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/lib/system.ts';
import { startTestGateway, type TestGateway, type TestGatewayOptions } from '../support/gateway.ts';

/** Long enough that no cache entry expires during a test. */
const patient = {
  TLD_MAX_AGE_SECONDS: '86400',
  DOMAIN_MAX_AGE_SECONDS: '3600',
  AVAILABILITY_MAX_AGE_SECONDS: '60',
};

/** Without the poll of the journal every second, so that only messages between replicas notify. */
const neverASecond = {
  ...systemClock,
  wait: (ms: number, signal?: AbortSignal) => systemClock.wait(ms === 1_000 ? 60_000 : ms, signal),
};

/** A long timeout, so that a busy machine does not look like an unreachable server. */
const calm = { clock: neverASecond, sharedStateMs: 5_000 };

export interface Neighbours {
  /** The first gateway starts the sandbox that all of them call. */
  readonly first: TestGateway;
  readonly all: readonly TestGateway[];
  close(): Promise<void>;
}

/** Gateways over one sandbox, one journal and one Valkey or Redis. */
export async function startNeighbours(
  redisUrl: string,
  { count = 3, ...options }: TestGatewayOptions & { readonly count?: number } = {},
): Promise<Neighbours> {
  const env = { ...patient, REDIS_URL: redisUrl, DATA_DIR: await newFolder(), ...options.env };
  const first = await startTestGateway({ ...calm, ...options, env });
  const beside = {
    ...env,
    DOMAIN_API_URL: `${first.sandboxUrl}/domain-api`,
    ACCOUNT_API_URL: `${first.sandboxUrl}/account-api`,
  };
  const others = await Promise.all(
    Array.from({ length: count - 1 }, () => startTestGateway({ ...calm, ...options, env: beside })),
  );
  return {
    first,
    all: [first, ...others],
    async close() {
      await Promise.all(others.map((gateway) => gateway.close()));
      await first.close();
      await rm(env.DATA_DIR, { recursive: true });
    },
  };
}

const newFolder = () => mkdtemp(join(tmpdir(), 'reseller-graph-neighbours-'));
