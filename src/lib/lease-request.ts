import { type Clock, clockToleranceMs } from './clock.ts';

interface LeaseOptions {
  readonly owner: string;
  readonly clock: Pick<Clock, 'now'>;
  /** Time until the lease ends; 0 releases it. */
  readonly ms: number;
  /** The longest `ms` of any owner. A stored lease that ends later than such a lease can was made by a wrong clock. */
  readonly maxMs: number;
}

/** A request for a lease of a store. */
export function leaseRequest({ owner, clock, ms, maxMs }: LeaseOptions) {
  const now = clock.now();
  const later = (laterMs: number) => new Date(now.getTime() + laterMs);
  return { owner, now, until: later(ms), latest: later(maxMs + clockToleranceMs) };
}
