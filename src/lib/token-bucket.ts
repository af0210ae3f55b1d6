import type { Clock } from './clock.ts';
import { createLru } from './lru.ts';

/** A bucket holds up to `capacity` tokens and refills by `perSecond`. */
export interface Rate {
  readonly capacity: number;
  readonly perSecond: number;
}

interface Taken {
  readonly granted: boolean;
  /** Milliseconds until the tokens are available; 0 when they were granted from the bucket. */
  readonly waitMs: number;
  /** Tokens left in the bucket; negative while it is in debt. */
  readonly remaining: number;
}

/** Token buckets by key, each full at first. */
export interface TokenBuckets {
  /**
   * Takes `cost` tokens, or none when the bucket holds less; a cost above the capacity needs a full bucket.
   *
   * With `mayBorrow` the tokens are always granted and the bucket goes into debt: the caller waits `waitMs` before it acts.
   */
  take(key: string, cost: number, rate: Rate, mayBorrow?: boolean): Taken;
}

/** Buckets that replicas share. */
export interface SharedBuckets {
  /** Adds the tokens that this replica has granted. Returns the seconds until the bucket is full. */
  report(key: string, granted: GrantedTokens): Promise<number>;
  /** Rejects when the replica closes. */
  wait(ms: number): Promise<void>;
}

/** With the tokens, the bucket is full `seconds` later than before, and in `untilFull` seconds at the earliest. */
export interface GrantedTokens {
  /** In which the bucket refills the tokens. */
  readonly seconds: number;
  /** Until a bucket is full from which only this replica takes. */
  readonly untilFull: number;
}

interface Bucket {
  /** What this replica may grant. */
  tokens: number;
  atMs: number;
  /** Tokens that were granted and not reported yet. */
  unreported: number;
  /** When a bucket is full from which only this replica takes. */
  ownFullAtMs: number;
  /** Whether the bucket was used since the last report. */
  isUsed: boolean;
  isReporting: boolean;
  reportedAtMs: number;
  /** When the bucket of all replicas is full, as of the last report. */
  sharedFullAtMs: number;
  /** The part of the refill that this replica grants until the next report. */
  share: number;
}

/** A bucket that is dropped from memory was idle, and is full again. */
const maxBuckets = 20_000;
/** A bucket in use is reported once in this time. */
const reportEveryMs = 1_000;
/** The first report after an idle time includes the requests that arrive together. */
const firstReportMs = 100;
/** The share of a replica that has granted nothing. */
const minShare = 0.2;
/** Reports take different times, so that the tokens of this time can be missing although no other replica took them. */
const toleranceSeconds = 0.1;

/**
 * Buckets in the memory of the process. With `shared`, replicas have a common bucket: each reports the tokens that it grants once a
 * second, and grants its share of the rest. `take` never waits for a report: an excess is a debt of all replicas.
 * Without the store a replica grants the whole rate.
 */
export function createTokenBuckets(
  clock: Pick<Clock, 'monotonicMs'>,
  shared: SharedBuckets | null = null,
): TokenBuckets {
  const buckets = createLru<string, Bucket>(maxBuckets);

  const reportOnce = async (
    { report }: SharedBuckets,
    key: string,
    bucket: Bucket,
    rate: Rate,
  ): Promise<void> => {
    const { unreported, ownFullAtMs, sharedFullAtMs } = bucket;
    Object.assign(bucket, { unreported: 0, isUsed: false });
    const sentAtMs = clock.monotonicMs();
    const seconds = unreported / rate.perSecond;
    const untilFull = Math.max(0, (ownFullAtMs - sentAtMs) / 1_000);
    const found = await report(key, { seconds, untilFull }).catch(() => null);
    const nowMs = clock.monotonicMs();
    refill(bucket, rate, nowMs);
    bucket.reportedAtMs = nowMs;
    if (found === null) {
      bucket.share = 1;
      return;
    }
    bucket.sharedFullAtMs = nowMs + found * 1_000;
    const aloneFullAtMs = Math.max(sharedFullAtMs + seconds * 1_000, ownFullAtMs, nowMs);
    const ofOthers = (bucket.sharedFullAtMs - aloneFullAtMs) / 1_000;
    setShare(bucket, rate, {
      own: seconds,
      ofOthers,
      left: rate.capacity - found * rate.perSecond,
    });
  };

  const reportUse = async (
    shared: SharedBuckets,
    key: string,
    bucket: Bucket,
    rate: Rate,
  ): Promise<void> => {
    bucket.isReporting = true;
    while (bucket.isUsed) {
      const dueMs = bucket.reportedAtMs + reportEveryMs - clock.monotonicMs();
      await shared.wait(Math.max(firstReportMs, dueMs));
      await reportOnce(shared, key, bucket, rate);
    }
    bucket.isReporting = false;
  };

  return {
    take(key, cost, rate, mayBorrow = false) {
      const nowMs = clock.monotonicMs();
      const bucket = buckets.get(key) ?? fullBucket(rate, nowMs);
      buckets.set(key, bucket);
      refill(bucket, rate, nowMs);
      const { tokens } = bucket;
      const needed = Math.min(cost, rate.capacity);
      const granted = mayBorrow || tokens >= needed;
      if (granted) {
        bucket.tokens -= needed;
        bucket.unreported += needed;
        bucket.ownFullAtMs =
          Math.max(bucket.ownFullAtMs, nowMs) + (needed * 1_000) / rate.perSecond;
      }
      bucket.isUsed = true;
      if (shared && !bucket.isReporting) {
        void reportUse(shared, key, bucket, rate).catch(() => undefined);
      }
      const waitMs = Math.max(0, (needed - tokens) / perMs(bucket, rate));
      return { granted, waitMs, remaining: bucket.tokens };
    },
  };
}

const fullBucket = ({ capacity }: Rate, nowMs: number): Bucket => ({
  ...{ tokens: capacity, atMs: nowMs, share: 1, isUsed: false, isReporting: false },
  ...{ unreported: 0, ownFullAtMs: -Infinity, reportedAtMs: -Infinity, sharedFullAtMs: -Infinity },
});

const perMs = ({ share }: Bucket, { perSecond }: Rate): number => (perSecond * share) / 1_000;

/** A bucket that is in debt, or was reported in the last second, refills by its share; an idle one by the whole rate. */
function refill(bucket: Bucket, rate: Rate, nowMs: number): void {
  const { tokens, atMs, reportedAtMs } = bucket;
  const debtMs = -tokens / perMs(bucket, rate);
  const sharedMs = Math.max(0, debtMs, reportedAtMs + reportEveryMs - atMs);
  const idleMs = Math.max(0, nowMs - atMs - sharedMs);
  const refilled =
    (nowMs - atMs - idleMs) * perMs(bucket, rate) + (idleMs * rate.perSecond) / 1_000;
  bucket.tokens = Math.min(rate.capacity, tokens + refilled);
  bucket.atMs = nowMs;
}

/** The tokens that were granted since the last report, as seconds of refill; and the tokens that are left in the shared bucket. */
interface Reported {
  readonly own: number;
  readonly ofOthers: number;
  readonly left: number;
}

/**
 * Sets what the replica may grant until the next report: its part of what all replicas granted since the last one, in the mean with
 * its share before. Of a full bucket it may grant all, so that requests are not refused while other replicas are idle.
 */
function setShare(bucket: Bucket, { capacity }: Rate, { own, ofOthers, left }: Reported): void {
  const part = ofOthers <= toleranceSeconds ? 1 : own / (own + ofOthers);
  bucket.share = (bucket.share + Math.max(minShare, part)) / 2;
  bucket.tokens = left * Math.max(bucket.share, left / capacity) - bucket.unreported;
}
