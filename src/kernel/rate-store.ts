/**
 * Buckets by key, each of which fills again. What is not granted costs nothing.
 *
 * `waitMs` is the time until as much can be granted, 0 when it was; `remaining` is what is left in the bucket.
 */
export interface RateStore {
  take(
    key: string,
    cost: number,
    rate: { capacity: number; perSecond: number },
  ): Promise<{ granted: boolean; waitMs: number; remaining: number }>;
}
