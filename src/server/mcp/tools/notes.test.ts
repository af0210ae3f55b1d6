import { expect, test } from 'vitest';
import { outcomeOf } from './notes.ts';

test.each([
  [
    'REQUESTED',
    /^It waits for the approval of another person until .* address, .*: \/approvals\/one /,
  ],
  ['GRANTED', /^Another person approved it, and the gateway has not sent it yet\. Do not buy /],
])('a purchase whose approval is %s', (state, sentence) => {
  const approval = { id: 'one', state, expiresAt: '2026-12-01T00:00:00.000Z' };
  const purchase = { id: 'two', state: 'AWAITING_APPROVAL', errors: [], approval };

  expect(outcomeOf(purchase, (id) => `/approvals/${id}`)).toMatch(sentence);
});
