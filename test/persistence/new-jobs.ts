import type { Take } from '../../src/persistence/job-leases.ts';
import type { JobItem, JobResult, NewJob, NewJobItem } from '../../src/persistence/job-record.ts';
import { account, minute } from './claims.ts';

/** A job that differs from every other one by `at`: its id, key and time. */
export const jobNumber = (at: number, changes: Partial<NewJob> = {}): NewJob => ({
  id: `job-${String(at).padStart(3, '0')}`,
  account,
  caller: 'shop',
  customer: null,
  kind: 'ORDER',
  key: `key-${at}`,
  options: `{"number":${at}}`,
  createdAt: minute(at),
  ...changes,
});

/** That many items. They wait, unless `change` gives them a result. */
export const newItems = (
  amount: number,
  change: (position: number) => Partial<NewJobItem> = () => ({}),
): readonly NewJobItem[] =>
  Array.from({ length: amount }, (_, position) => ({
    position,
    domain: `name-${position}.com`,
    fingerprint: `fingerprint-${position}`,
    input: `{"secret":${position}}`,
    facts: `{"line":${position}}`,
    result: null,
    ...change(position),
  }));

/** Takes the items that are due at a minute, for ten minutes. A due time more than an hour ahead is wrong. */
export const takeAt = (at: number, changes: Partial<Take> = {}): Take => ({
  owner: 'one',
  now: minute(at),
  leaseUntil: minute(at + 10),
  latest: minute(at + 60),
  kinds: ['ORDER', 'CHANGE'],
  limit: 1_000,
  ...changes,
});

export const resultOf = (outcome: string): JobResult => ({
  outcome,
  details: `{"is":"${outcome}"}`,
});

/** Job and position of each item. */
export const placesOf = (items: readonly JobItem[]) =>
  items.map(({ jobId, position }) => `${jobId}/${position}`);
