import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandbox } from '../../sandbox/server.ts';
import { systemClock, systemRandomness } from '../../src/lib/system.ts';
import { startInspected } from './inspected.ts';
import { load, type Tally } from './load.ts';
import { type Sample, type Trend, trendsOf } from './verdict.ts';

export interface SoakOptions {
  readonly seconds: number;
  /** Between two samples. */
  readonly everySeconds: number;
  readonly onSample?: (sample: Sample) => void;
}

export interface Soaked {
  readonly samples: readonly Sample[];
  readonly trends: readonly Trend[];
  readonly tally: Tally;
  /** Sentences about broken promises. */
  readonly broken: readonly string[];
  readonly exitCode: number | null;
}

const key = 'key-of-the-soak-0123456789abcdef';

/** Runs one gateway under mixed load over a sandbox that injects faults. */
export async function soak({ seconds, everySeconds, onSample }: SoakOptions): Promise<Soaked> {
  const sandbox = await startSandbox({
    file: ':memory:',
    clock: systemClock,
    randomness: systemRandomness,
  });
  const folder = mkdtempSync(join(tmpdir(), 'reseller-graph-soak-'));
  const admin = async (method: string, path: string, body?: object) => {
    const headers = { 'content-type': 'application/json' };
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    return (await fetch(`${sandbox.url}/admin${path}`, init)).json();
  };
  await admin('POST', '/latency', { perCallMs: 20, perNameMs: 2 });
  const gateway = await startInspected({
    PORT: '0',
    DATA_DIR: folder,
    DOMAIN_API_URL: sandbox.domainApiUrl,
    ACCOUNT_API_URL: sandbox.accountApiUrl,
    API_KEY: key,
    DEVELOPMENT: 'false',
    LOG_LEVEL: 'warn',
    UPSTREAM_TIMEOUT_MS: '2000',
  });

  const over = new AbortController();
  const running = load({
    origin: gateway.origin,
    headers: { 'x-api-key': key, 'x-account-token': 'demo-token' },
    admin,
    runId: Date.now().toString(36),
    signal: over.signal,
  });
  const samples: Sample[] = [];
  const beganMs = performance.now();
  while (performance.now() - beganMs < seconds * 1000) {
    await new Promise((resolve) => setTimeout(resolve, everySeconds * 1000));
    const atSeconds = Math.round((performance.now() - beganMs) / 1000);
    const sample = { atSeconds, ...(await gateway.held()) };
    samples.push(sample);
    onSample?.(sample);
  }
  over.abort();
  const tally = await running;
  const { purchases } = (await admin('GET', '/state')) as { purchases: { domain: string }[] };
  const exitCode = await gateway.stop();
  await sandbox.close();
  rmSync(folder, { recursive: true });
  return {
    samples,
    trends: trendsOf(samples),
    tally,
    broken: brokenOf(tally, purchases),
    exitCode,
  };
}

function brokenOf({ bought, odd }: Tally, purchases: readonly { domain: string }[]) {
  const paid = purchases.map(({ domain }) => domain);
  const twice = paid.filter((domain, at) => paid.indexOf(domain) !== at);
  const unpaid = [...bought].filter((domain) => !paid.includes(domain));
  return [
    ...twice.map((domain) => `${domain} was bought twice.`),
    ...unpaid.map((domain) => `${domain} was reported as SUCCEEDED, but not bought.`),
    ...odd.slice(0, 20),
  ];
}
