import { join } from 'node:path';
import type { Sandbox, SandboxOptions } from '../../sandbox/server.ts';
import type { Config } from '../config/config.ts';
import type { Clock, Randomness } from '../lib/clock.ts';
import { StartError } from '../lib/errors.ts';

export type FollowingClock = ReturnType<typeof createFollowingClock>;

/**
 * The clocks of a gateway whose sandbox runs in the same process. When the time of the sandbox is moved, `now` moves with it.
 * Durations are real: a move while a purchase is sent does not end the time in which its outcome may appear. Only for
 * `cacheClock` a move, also one back, advances `monotonicMs`, so that cached replies expire.
 */
export function createFollowingClock(base: Clock) {
  let offsetMs = (): number => 0;
  let seenMs = 0;
  let aheadMs = 0;
  const monotonicMs = () => {
    const currentMs = offsetMs();
    aheadMs += Math.abs(currentMs - seenMs);
    seenMs = currentMs;
    return base.monotonicMs() + aheadMs;
  };
  const clock: Clock = { ...base, now: () => new Date(base.now().getTime() + offsetMs()) };
  return {
    clock,
    cacheClock: { ...clock, monotonicMs } satisfies Clock,
    follow(clockOffsetMs: () => number): void {
      offsetMs = clockOffsetMs;
      seenMs = clockOffsetMs();
    },
  };
}

interface EmbeddedOptions
  extends Pick<SandboxOptions, 'domains' | 'listSize' | 'listedTlds' | 'gateway'> {
  readonly config: Config;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly reset: boolean;
}

/** @throws StartError when its port or file cannot be used. */
export async function startEmbeddedSandbox({
  config: { storage, sandbox },
  ...options
}: EmbeddedOptions): Promise<Sandbox> {
  // Loaded only when it is used: a live gateway has no sandbox.
  const { startSandbox } = await import('../../sandbox/server.ts');
  try {
    return await startSandbox({
      ...options,
      file: join(storage.dataDir, 'sandbox.sqlite'),
      port: sandbox.port,
      latency: sandbox.latency,
    });
  } catch (cause) {
    const sentence = cause instanceof Error ? cause.message : 'The sandbox cannot be started.';
    const hint = sentence.includes('listen') ? ' SANDBOX_PORT says which port it takes.' : '';
    throw new StartError(`${sentence}${hint}`, { cause });
  }
}
