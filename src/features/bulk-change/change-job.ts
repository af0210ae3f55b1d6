import type { DomainName } from '../../kernel/domain-name.ts';
import { type Fault, withinRange } from '../../kernel/faults.ts';
import { faultOfStored } from '../../kernel/stored-json.ts';
import type { ChangedValue } from '../../modules/changed-value/value.ts';
import type { JobReads } from '../../modules/job/reads.ts';
import type { CountedJob } from '../../modules/job/service.ts';
import { createJobView } from '../../modules/job/view.ts';
import type { ItemGroup } from '../../persistence/job-items.ts';
import type { JobItem, JobItemState } from '../../persistence/job-record.ts';
import { type ChangeOutcome, detailsOf, factsOf, shownValue } from './change.ts';

export type ChangeItemState = 'WAITING' | 'RUNNING' | ChangeOutcome;

/** One domain of a job. */
export interface ChangeItem {
  readonly position: number;
  readonly domain: DomainName;
  readonly state: ChangeItemState;
  /** The name servers that `items` has for it; null for another change. */
  readonly target: readonly string[] | null;
  readonly before: ChangedValue | null;
  readonly after: ChangedValue | null;
  readonly errors: readonly Fault[];
  readonly endedAt: Date | null;
}

const stateOfItem = (state: JobItemState, outcome: string | null): ChangeItemState => {
  if (state === 'WAITING' || state === 'HELD') return 'WAITING';
  return state === 'BEGUN' ? 'RUNNING' : (outcome as ChangeOutcome);
};

export const changeView = createJobView<ChangeItemState>(
  {
    WAITING: 'OPEN',
    RUNNING: 'OPEN',
    SUCCEEDED: 'ENDED',
    UNCHANGED: 'ENDED',
    FAILED: 'ENDED',
    UNKNOWN: 'ENDED',
    CANCELLED: 'ENDED',
  },
  ({ state, outcome }) => stateOfItem(state, outcome),
);

export function toItem(item: JobItem): ChangeItem {
  const { target = null, ...facts } = factsOf(item);
  const { before = facts.before, after, errors = [] } = detailsOf(item);
  return {
    position: item.position,
    // Only names that were parsed are ever written.
    domain: item.domain as DomainName,
    state: stateOfItem(item.state, item.result?.outcome ?? null),
    target,
    before: shownValue(before),
    after: shownValue(after),
    errors: errors.map(faultOfStored),
    endedAt: item.doneAt,
  };
}

export interface ChangeItemPage {
  readonly states?: readonly ChangeItemState[] | null | undefined;
  readonly first: number;
  /** The position of the last domain of the page before. */
  readonly after?: number | null | undefined;
}

/** Domains of one page at most: more of them would occupy the thread for too long. */
export const maxItems = 500;

/** A page of the domains of a job, in the order of the input. @throws Fault `INVALID_INPUT` */
export async function pageOf(
  reads: JobReads,
  { job }: CountedJob,
  { states, first, after }: ChangeItemPage,
): Promise<ChangeItem[]> {
  const limit = withinRange('first', first, 0, maxItems);
  const groups = states?.flatMap(groupsOf);
  return [
    ...(await reads.page(job.id, { after, limit, groups }, async (items) => items.map(toItem))),
  ];
}

function groupsOf(state: ChangeItemState): readonly ItemGroup[] {
  const open = { outcome: null, purchase: null };
  if (state === 'WAITING')
    return [
      { state, ...open },
      { state: 'HELD', ...open },
    ];
  if (state === 'RUNNING') return [{ state: 'BEGUN', ...open }];
  return [{ state: 'DONE', outcome: state, purchase: null }];
}
