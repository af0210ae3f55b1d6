import { expect, test } from 'vitest';
import { recordingOf } from '../with/mcp.ts';

test.each([
  [null, null, /^Events are not recorded on this gateway; an empty list does not mean/],
  [60, null, /^The gateway has not read the account yet, so changes of it are not recorded yet\.$/],
  [
    60,
    '2026-11-29T00:00:00.000Z',
    /^Changes are recorded since 2026-11-29T00:00:00\.000Z; earlier/,
  ],
])('events every %s seconds since %s', (eventsIntervalSeconds, eventsSince, sentence) => {
  expect(recordingOf({ eventsIntervalSeconds, eventsSince })).toMatch(sentence);
});
