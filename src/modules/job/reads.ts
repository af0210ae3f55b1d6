import type { Clock } from '../../lib/clock.ts';
import type { ItemGroup, JobCount, JobFacts } from '../../persistence/job-items.ts';
import type { JobItem } from '../../persistence/job-record.ts';
import type { Journal } from '../../persistence/journal.ts';
import type { StoredReads } from '../../scope/reads.ts';
import { perRequest } from '../../scope/scope.ts';

/** Items of one statement. */
const itemsPerRead = 250;

/** A part of the items of a job, in their order. */
interface ItemPageRequest {
  /** Only items after this position. Default: all. */
  readonly after?: number | null | undefined;
  readonly limit: number;
  /** Only items in these groups. Default: all. */
  readonly groups?: readonly ItemGroup[] | undefined;
}

export type JobReads = ReturnType<typeof createJobReads>;

/**
 * Reads the items of jobs, each page and each sum once per request. A statement reads one job, because SQLite occupies the
 * thread for its duration.
 */
export function createJobReads(
  {
    journal: { jobs },
    clock,
    account,
  }: {
    readonly journal: Pick<Journal, 'jobs'>;
    readonly clock: Pick<Clock, 'now'>;
    readonly account: string;
  },
  stored: StoredReads,
) {
  return {
    /** A job by its id; null without one. */
    byId: stored.batched((ids) => jobs.byIds(account, ids)),

    counts: (jobId: string): Promise<readonly JobCount[]> =>
      stored.once(`counts ${jobId}`, () => stored.inTurn(() => jobs.counts(jobId, clock.now()))),

    /** `convert` makes the sums that the caller needs. */
    sums: <Sums>(jobId: string, convert: (facts: readonly JobFacts[]) => Sums): Promise<Sums> =>
      stored.once(`sums ${jobId}`, () =>
        stored.inTurn(async () => convert(await jobs.facts(jobId, clock.now()))),
      ),

    /** Reads a page in parts. `convert` makes the results of a part, before the next part is read. */
    page<Result>(
      jobId: string,
      { after, limit, groups }: ItemPageRequest,
      convert: (items: readonly JobItem[]) => Promise<readonly Result[]>,
    ): Promise<readonly Result[]> {
      const at = clock.now();
      const key = `items ${JSON.stringify([jobId, after ?? null, limit, groups])}`;
      return stored.once(key, async () => {
        const results: Result[] = [];
        let last = after ?? -1;
        while (results.length < limit) {
          const length = Math.min(itemsPerRead, limit - results.length);
          const part = await stored.inTurn(async () => {
            const items = await jobs.page(jobId, { after: last, limit: length, groups, at });
            last = items.at(-1)?.position ?? last;
            return convert(items);
          });
          results.push(...part);
          if (part.length < length) break;
        }
        return results;
      });
    },
  };
}

export const jobReads = perRequest('jobReads', ({ tenant, stored }) =>
  createJobReads(tenant, stored),
);
