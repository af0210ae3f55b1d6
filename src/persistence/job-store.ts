import type { PurchaseState } from './store.ts';

/** ORDER: its items are purchases. CHANGE: its items are writes to domains. */
export type JobKind = 'ORDER' | 'CHANGE';

/** WAITING: nothing was sent for it. BEGUN: a process works on it, or did until it ended. DONE: has an outcome. */
export type JobItemState = 'WAITING' | 'BEGUN' | 'DONE';

/** How an item ended. The modules that run jobs define their own. */
export type JobOutcome = string;

export interface NewJob {
  readonly id: string;
  /** The tenant that pays. */
  readonly account: string;
  /** The name of the caller's key; null with open access. */
  readonly caller: string | null;
  readonly kind: JobKind;
  /** Unique for the account and the kind. */
  readonly key: string;
  /** JSON: what all items share. */
  readonly options: string;
  readonly createdAt: Date;
}

export type JobRecord = NewJob;

export interface NewJobItem {
  /** From 0, without gaps. */
  readonly position: number;
  /** The domain, or the text that was sent instead of a domain name. */
  readonly domain: string;
  /** Hash of the input of the item. */
  readonly fingerprint: string;
  /** JSON that is needed to run the item, with secrets such as auth codes. Deleted when the item is DONE. */
  readonly input: string | null;
  /** JSON that readers see. */
  readonly facts: string;
  /** Null unless DONE. A new item with a result is DONE since the creation of its job, and its input is not stored. */
  readonly result: JobResult | null;
}

/** The end of an item. */
export interface JobResult {
  readonly outcome: JobOutcome;
  /** JSON: details of the outcome. */
  readonly details: string;
}

export interface JobItem extends NewJobItem {
  readonly jobId: string;
  readonly state: JobItemState;
  /** How often the item was taken. A write with an older number changes nothing. */
  readonly fence: number;
  readonly doneAt: Date | null;
}

/** An item that this process works on. */
export interface TakenItem extends JobItem {
  readonly job: JobRecord;
}

/** The right to write to a taken item: it ends when the item is taken again, is DONE, or is released to WAITING. */
export type Lease = Pick<JobItem, 'jobId' | 'position' | 'fence'>;

/** What distinguishes the states of an item. */
export interface ItemGroup {
  readonly state: JobItemState;
  /** Null unless DONE. */
  readonly outcome: JobOutcome | null;
  /** The state of the newest purchase that was claimed for the item; null while there is none. */
  readonly purchase: PurchaseState | null;
}

/** The number of items of a job in one state. */
export interface JobCount extends ItemGroup {
  readonly jobId: string;
  readonly amount: number;
  /** The lowest position of them. */
  readonly first: number;
  /** When the last of them, or its purchase, ended; null when none has. */
  readonly endedAt: Date | null;
}

/** The number of items of a job in one state that have the same facts. */
export interface JobFacts extends ItemGroup, Pick<JobItem, 'jobId' | 'facts'> {
  readonly amount: number;
}

export interface ItemPage {
  /** Only items after this position. */
  readonly after: number;
  readonly limit: number;
  /** Only items in these groups. Default: all. */
  readonly groups?: readonly ItemGroup[] | undefined;
}

/** The state of one item, without its details. */
export interface ItemState extends ItemGroup, Pick<JobItem, 'jobId' | 'position'> {
  /** The id of the newest purchase. */
  readonly purchaseId: string | null;
  /** When the purchase ended, or the item when it has none: ISO 8601 with milliseconds. */
  readonly endedAt: string | null;
}

export interface JobFilter {
  readonly kind: JobKind;
  readonly caller?: string;
  /** Created then or later. */
  readonly createdAfter?: Date;
  /** Created before then. */
  readonly createdBefore?: Date;
}

/** A place in the list, newest first: creation time, then id. */
export type JobPosition = Pick<JobRecord, 'createdAt' | 'id'>;

export interface JobPage {
  readonly filter: JobFilter;
  readonly limit: number;
  /** Only jobs older than this. */
  readonly after?: JobPosition;
  /** Only jobs newer than this. */
  readonly before?: JobPosition;
  /** Take the `limit` from the end of the range instead of its start; the result is still newest first. */
  readonly fromEnd?: boolean;
}

/** Which items to take, and until when this process has them. */
export interface Take {
  readonly owner: string;
  readonly now: Date;
  readonly leaseUntil: Date;
  /** An item that is due after this was written with a wrong clock, and is due now. */
  readonly latest: Date;
  readonly kinds: readonly JobKind[];
  readonly limit: number;
}

/**
 * Jobs and their items, in the database of the journal. Every write is durable before its promise resolves. Each is one
 * statement, except `create`: it writes the items first, and then the job. Items without a job are never taken.
 *
 * All methods throw Fault `JOURNAL_UNAVAILABLE` when the store cannot be used.
 */
export interface JobStore {
  /**
   * Of several concurrent creations of one key one is `isNew`, and the others receive the job of that one. The options and
   * items of the others are not compared with it. The id must be new.
   */
  create(
    job: NewJob,
    items: readonly NewJobItem[],
  ): Promise<{ readonly job: JobRecord; readonly isNew: boolean }>;
  byId(account: string, id: string): Promise<JobRecord | null>;
  byKey(account: string, kind: JobKind, key: string): Promise<JobRecord | null>;
  list(account: string, page: JobPage): Promise<readonly JobRecord[]>;
  count(account: string, filter: JobFilter): Promise<number>;
  /** The items of the jobs, by job and position. */
  items(jobIds: readonly string[]): Promise<readonly JobItem[]>;
  /** A part of the items of a job, by position. */
  page(jobId: string, page: ItemPage): Promise<readonly JobItem[]>;
  positionOf(jobId: string, domain: string): Promise<number | null>;
  /** The items of a job at these positions, in no order. */
  itemsAt(jobId: string, positions: readonly number[]): Promise<readonly JobItem[]>;
  /** The state of each item of a job, in no order. Of many jobs, one statement would occupy the thread for too long. */
  states(jobId: string): Promise<readonly ItemState[]>;
  /** The items of a job, counted by state, outcome and state of their newest purchase; in no order. */
  counts(jobId: string): Promise<readonly JobCount[]>;
  /** The same, counted by their facts too. */
  facts(jobId: string): Promise<readonly JobFacts[]>;
  /**
   * Takes items that are due: WAITING items become BEGUN, and BEGUN items whose lease has ended get a new owner. Concurrent
   * calls, also of other processes, take different items. Returns them by position, then by the time of their job, so that a
   * long job does not delay a short one.
   */
  take(account: string, take: Take): Promise<readonly TakenItem[]>;
  /** Extends the leases of all items that the owner has, also of those that have ended and were not taken since. */
  renew(account: string, owner: string, leaseUntil: Date): Promise<void>;
  /** Ends an item, and deletes its input. Returns whether the lease was still valid, as do the next two. */
  finish(lease: Lease, at: Date, result: JobResult): Promise<boolean>;
  /** Ends the work on an item for now. Every process may take it from `dueAt` on; no `renew` changes that time. */
  release(lease: Lease, state: 'WAITING' | 'BEGUN', dueAt: Date): Promise<boolean>;
  /** Replaces the facts of an item. */
  saveFacts(lease: Lease, facts: string): Promise<boolean>;
  /** Ends all WAITING items of the job, and deletes their inputs. Returns how many. */
  endWaiting(account: string, jobId: string, at: Date, result: JobResult): Promise<number>;
  /** Lets items with one of these outcomes wait again, without their inputs, which are deleted. Returns how many. */
  restart(
    account: string,
    jobId: string,
    outcomes: readonly JobOutcome[],
    dueAt: Date,
  ): Promise<number>;
  /**
   * Deletes items that were written before then and have no job, because the process ended between the two writes of
   * `create`. A `create` of that time must not be in progress anywhere. Reads all items.
   */
  deleteOrphans(before: Date): Promise<void>;
}
