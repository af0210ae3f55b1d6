import { z } from 'zod';
import type { Randomness } from '../../src/lib/clock.ts';
import type { Call } from './call-log.ts';

const ms = z.int().min(0).default(0);

/** Milliseconds that each call takes. */
export const latency = z.object({
  perCallMs: ms,
  /** A random part of this is added to every call. */
  spreadMs: ms,
  /** Added for each name of an availability check, because the registry is queried name by name. */
  perNameMs: ms,
  /** Added to a registration or a transfer. */
  purchaseMs: ms,
});

export type Latency = z.output<typeof latency>;

/** `realistic` is faster than real registries, which take 150 to 800 ms for a check and up to 20 s for a transfer. */
export const latencies = {
  none: { perCallMs: 0, spreadMs: 0, perNameMs: 0, purchaseMs: 0 },
  realistic: { perCallMs: 100, spreadMs: 200, perNameMs: 15, purchaseMs: 600 },
} as const satisfies Record<string, Latency>;

export type LatencyName = keyof typeof latencies;

const purchases: ReadonlySet<string> = new Set(['registerdomain', 'transferdomain']);

export function latencyOf(current: Latency, call: Call, { fraction }: Randomness): number {
  const { perCallMs, spreadMs, perNameMs, purchaseMs } = current;
  const spread = spreadMs > 0 ? spreadMs * fraction() : 0;
  const purchase = purchases.has(call.action) ? purchaseMs : 0;
  return perCallMs + spread + perNameMs * namesChecked(call) + purchase;
}

const namesChecked = ({ action, domains }: Call): number =>
  domains?.length ?? (action === 'singlecheckavailability' ? 1 : 0);
