import DataLoader from 'dataloader';
import { invalidInput } from '../../kernel/faults.ts';
import type { ItemGroup, JobCount, JobFacts, JobItem } from '../../persistence/job-store.ts';
import type { TenantDeps } from '../deps.ts';
import type { StoredReads } from '../stored-reads.ts';

/** Jobs of one statement. SQLite reads up to 2,000 items of each, and the event loop waits for it. */
const jobsPerRead = 5;
/** Items of one statement. */
const itemsPerRead = 250;

/** A part of the items of a job, in their order. */
interface ItemPage {
  /** Only items after this position. Default: all. */
  readonly after?: number | null | undefined;
  readonly limit: number;
  /** Only items in these groups. Default: all. */
  readonly groups?: readonly ItemGroup[] | undefined;
}

export type JobReads = ReturnType<typeof createJobReads>;

/** Reads the items of jobs: each page and each sum once per request, and the sums of several jobs together. */
export function createJobReads(
  { journal: { jobs } }: Pick<TenantDeps, 'journal'>,
  stored: StoredReads,
) {
  const loaderOf = <Row extends { readonly jobId: string }>(
    read: (jobIds: readonly string[]) => Promise<readonly Row[]>,
  ) => {
    const loader = new DataLoader<string, readonly Row[]>(
      async (ids) => {
        const byJob = Map.groupBy(await stored.inTurn(() => read(ids)), ({ jobId }) => jobId);
        return ids.map((id) => byJob.get(id) ?? []);
      },
      { maxBatchSize: jobsPerRead, cache: false },
    );
    return (what: string, id: string) => stored.once(`${what} ${id}`, () => loader.load(id));
  };
  const counts = loaderOf<JobCount>(jobs.counts);
  const facts = loaderOf<JobFacts>(jobs.facts);

  return {
    counts: (jobId: string) => counts('counts', jobId),
    facts: (jobId: string) => facts('facts', jobId),

    /** Reads a page in parts. `convert` makes the results of a part, before the next part is read. */
    page<Result>(
      jobId: string,
      { after, limit, groups }: ItemPage,
      convert: (items: readonly JobItem[]) => Promise<readonly Result[]>,
    ): Promise<readonly Result[]> {
      const key = `items ${JSON.stringify([jobId, after ?? null, limit, groups])}`;
      return stored.once(key, async () => {
        const results: Result[] = [];
        let last = after ?? -1;
        while (results.length < limit) {
          const length = Math.min(itemsPerRead, limit - results.length);
          const part = await stored.inTurn(async () => {
            const items = await jobs.page(jobId, { after: last, limit: length, groups });
            last = items.at(-1)?.position ?? last;
            return convert(items);
          });
          results.push(...part);
          if (part.length < length) break;
        }
        return results;
      });
    },

    /** The position of a domain in a job; null when the job does not have it. */
    positionOf: (jobId: string, domain: string) =>
      stored.once(`position ${JSON.stringify([jobId, domain])}`, () =>
        stored.inTurn(() => jobs.positionOf(jobId, domain)),
      ),
  };
}

/** The length of a page of items. @throws Fault `INVALID_INPUT` */
export function readLimit(first: number, most: number): number {
  if (first >= 0 && first <= most) return first;
  throw invalidInput(`"first" must be from 0 to ${most}; it is ${first}.`, {
    path: ['first'],
    facts: { minimum: 0, maximum: most },
  });
}
