/** A bucket of tokens: it holds `capacity`, and fills up again by `perSecond`. */
export interface Rate {
  readonly capacity: number;
  readonly perSecond: number;
}

export interface Taken {
  readonly granted: boolean;
  /** So long until as much will be there; 0 when it was granted. */
  readonly waitMs: number;
  /** What is left in the bucket. */
  readonly remaining: number;
}

/** Buckets by key, each full at first. */
export interface RateStore {
  /** Takes `cost` from a bucket, or nothing when it holds less. What costs more than the capacity takes a full bucket. */
  take(key: string, cost: number, rate: Rate): Promise<Taken>;
}
