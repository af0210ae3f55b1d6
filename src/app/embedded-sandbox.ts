import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import type { Clock, Randomness } from '../lib/clock.ts';

/** Starting failed for a reason outside the program; the message is one sentence for the operator. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

export interface SandboxOverrides {
  /** Number of domains in the demo portfolio. */
  readonly sandboxDomains?: number;
  /** Number of domains that `getdomainlist` returns at most; default 200, 0 for all. */
  readonly sandboxListSize?: number;
  /** Replaces SANDBOX_LATENCY. */
  readonly sandboxLatency?: Config['sandbox']['latency'];
  /** Deletes the data of the sandbox, and the journal of purchases in it, before the start. */
  readonly reset?: boolean;
}

/** @throws StartError when its port or file cannot be used. */
export async function startEmbeddedSandbox(
  { storage, sandbox }: Config,
  { sandboxDomains, sandboxListSize, sandboxLatency, reset = false }: SandboxOverrides,
  { clock, randomness }: { readonly clock: Clock; readonly randomness: Randomness },
) {
  // Loaded only when it is used: a live gateway has no sandbox.
  const { startSandbox } = await import('../sandbox/server.ts');
  try {
    return await startSandbox({
      file: join(storage.dataDir, 'sandbox.sqlite'),
      port: sandbox.port,
      latency: sandboxLatency ?? sandbox.latency,
      clock,
      randomness,
      reset,
      ...(sandboxDomains !== undefined && { domains: sandboxDomains }),
      ...(sandboxListSize !== undefined && { listSize: sandboxListSize }),
    });
  } catch (cause) {
    const sentence = cause instanceof Error ? cause.message : 'The sandbox cannot be started.';
    const hint = sentence.includes('listen') ? ' SANDBOX_PORT says which port it takes.' : '';
    throw new StartError(`${sentence}${hint}`, { cause });
  }
}
