import { dayMs } from '../../kernel/instant.ts';

/** How often a transfer in progress is read, in milliseconds. */
export interface TransferPace {
  readonly everyMs: number;
  /** Once the transfer is older than `slowAfterMs`. */
  readonly slowEveryMs: number;
  readonly slowAfterMs: number;
  /** After a read that failed. */
  readonly retryMs: number;
  /** Clients that read the purchase cause no more reads than one in this time. */
  readonly leastMs: number;
  /** Clocks of gateways differ by less. */
  readonly toleranceMs: number;
  /** A transfer that no read has shown as in progress for so long after its start ends as UNKNOWN. */
  readonly givenUpAfterMs: number;
}

const minuteMs = 60_000;

export const transferPace: TransferPace = {
  everyMs: 60 * minuteMs,
  slowEveryMs: 6 * 60 * minuteMs,
  slowAfterMs: dayMs,
  retryMs: 10 * minuteMs,
  leastMs: minuteMs,
  toleranceMs: 10 * minuteMs,
  givenUpAfterMs: 14 * dayMs,
};

/** When to read a transfer that was accepted at `start` again. */
export function nextLook(pace: TransferPace, start: Date, now: Date): Date {
  const isOld = now.getTime() - start.getTime() >= pace.slowAfterMs;
  return new Date(now.getTime() + (isOld ? pace.slowEveryMs : pace.everyMs));
}
