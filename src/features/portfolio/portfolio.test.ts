import { expect, test } from 'vitest';
import { nextStepOf } from './portfolio.ts';

const list = { complete: false, upstreamCount: 1_200, knownCount: 1_200 };

test.each([
  ['says how long the first reads take', { unread: 1_000, perMinute: 30 }, /about 4 minutes:/],
  ['names one minute', { unread: 1, perMinute: 30 }, /reads 1 domain .* about 1 minute:/],
  ['says that no reads are made', { unread: 3, perMinute: 0 }, /^Set PORTFOLIO_READS_PER_MINUTE/],
  ['names no time when all known domains were read', { unread: 0, perMinute: 30 }, /later\.$/],
])('the next step of a list whose domains are known %s', (_what, reads, sentence) => {
  expect(nextStepOf({ ...list, reads })).toMatch(sentence);
});

test('the next step of a list for a customer names no number of the account', () => {
  expect(nextStepOf(list)).toMatch(/read the list again later\.$/);
});
