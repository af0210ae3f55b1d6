import { expect, test } from 'vitest';
import { changeView } from '../../features/bulk-change/change-job.ts';

const none = {
  ...{ WAITING: 0, RUNNING: 0, SUCCEEDED: 0, UNCHANGED: 0, FAILED: 0, UNKNOWN: 0, CANCELLED: 0 },
};

// Those of an order are in order.test.ts.
test.each([
  ['RUNNING', { RUNNING: 1, CANCELLED: 1 }],
  ['SUCCEEDED', { SUCCEEDED: 1, UNCHANGED: 1 }],
  ['SUCCEEDED', { UNCHANGED: 2 }],
  ['STOPPED', { FAILED: 1, CANCELLED: 1 }],
  ['PARTIAL', { UNCHANGED: 1, FAILED: 1 }],
  ['PARTIAL', { UNKNOWN: 1 }],
  ['FAILED', { FAILED: 2 }],
] as const)('a job is %s with domains that are %o', (state, domains) => {
  expect(changeView.jobState({ ...none, ...domains })).toBe(state);
});
