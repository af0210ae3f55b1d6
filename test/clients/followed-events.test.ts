import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  connectScripted,
  hanging,
  json,
  lostAfter,
  observe,
  openBody,
  results,
  type SentBody,
  unreachable,
} from '../support/scripted-fetch.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  vi.spyOn(Math, 'random').mockReturnValue(1);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const event = (cursor: string) => ({ id: `id-${cursor}`, cursor });
const page = (...cursors: readonly string[]) =>
  json({ data: { events: { nodes: cursors.map(event) } } });
const streamed = (cursor: string) => ({ events: event(cursor) });

/** The kind of each request with its variables. */
const kinds = (bodies: readonly SentBody[]) =>
  bodies.map(({ query, variables }) => [
    /(?:query|subscription) (\w+)/.exec(query)?.[1],
    ...(variables ? [variables] : []),
  ]);
const cursorsOf = (values: readonly { readonly cursor: string }[]) =>
  values.map(({ cursor }) => cursor);

const filter = { types: ['PRIVACY_CHANGED' as const] };

test('events after a cursor need no other request than the subscription', async () => {
  const { client, bodies } = connectScripted([openBody().step]);
  observe(client.events.stream({ after: '7' }));

  await vi.advanceTimersByTimeAsync(0);

  expect(kinds(bodies())).toEqual([['NewEvents', { after: '7' }]]);
});

test('events from now on start after the newest event of any type, and are filtered', async () => {
  const { client, bodies } = connectScripted([page('5'), openBody().step]);
  observe(client.events.stream({ filter }));

  await vi.advanceTimersByTimeAsync(0);

  expect(kinds(bodies())).toEqual([
    ['NewestEvent', {}],
    ['NewEvents', { after: '5', filter }],
  ]);
});

describe('after a lost connection or an end', () => {
  test('events continue after the last one that was yielded', async () => {
    const { client, bodies, pauses } = connectScripted([
      page('5'),
      lostAfter(streamed('6'), streamed('7')),
      unreachable,
      results(streamed('8')),
      openBody().step,
    ]);
    const seen = observe(client.events.stream({ filter }));

    await vi.advanceTimersByTimeAsync(10_000);

    expect(cursorsOf(seen.values)).toEqual(['6', '7', '8']);
    expect(seen.isEnded).toBe(false);
    expect(kinds(bodies()).slice(1)).toEqual([
      ['NewEvents', { after: '5', filter }],
      ['NewEvents', { after: '7', filter }],
      ['NewEvents', { after: '7', filter }],
      ['NewEvents', { after: '8', filter }],
    ]);
    expect(pauses().slice(1)).toEqual([251, 500, 250]);
  });

  test('the newest event is read again only when it is not known', async () => {
    const { client, bodies } = connectScripted([
      ...[unreachable, page('5'), unreachable, openBody().step],
    ]);
    observe(client.events.stream());

    await vi.advanceTimersByTimeAsync(10_000);

    expect(kinds(bodies())).toEqual([
      ['NewestEvent', {}],
      ['NewestEvent', {}],
      ['NewEvents', { after: '5' }],
      ['NewEvents', { after: '5' }],
    ]);
  });

  test('events end with an error that is not temporary', async () => {
    const errors = [{ message: 'No key.', extensions: { code: 'UNAUTHENTICATED' } }];
    const { client, calls } = connectScripted([json({ errors }, 401)]);
    const seen = observe(client.events.stream());

    await vi.advanceTimersByTimeAsync(10_000);

    expect(seen).toMatchObject({ isEnded: true, error: { code: 'UNAUTHENTICATED' } });
    expect(calls).toHaveLength(1);
  });
});

describe('while the account had no event', () => {
  test('the first events are read every two seconds, and then streamed', async () => {
    const { client, bodies, pauses } = connectScripted([
      ...[page(), page(), page(), page('1', '2'), openBody().step],
    ]);
    const seen = observe(client.events.stream({ filter }));

    await vi.advanceTimersByTimeAsync(3_999);
    expect(seen.values).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);

    expect(cursorsOf(seen.values)).toEqual(['1', '2']);
    expect(kinds(bodies())).toEqual([
      ['NewestEvent', {}],
      ...[1, 2, 3].map(() => ['FirstEvents', { filter }]),
      ['NewEvents', { after: '2', filter }],
    ]);
    expect(pauses()).toEqual([0, 2_000, 2_000, 0]);
  });

  test('a lost connection is not the start of other events', async () => {
    const nodes = [event('1')];
    const { client, bodies } = connectScripted([
      page(),
      unreachable,
      json({ data: { events: { nodes } } }),
      openBody().step,
    ]);
    const seen = observe(client.events.stream());

    await vi.advanceTimersByTimeAsync(250);

    expect(cursorsOf(seen.values)).toEqual(['1']);
    expect(kinds(bodies())).toEqual([
      ['NewestEvent', {}],
      ['FirstEvents', {}],
      ['FirstEvents', {}],
      ['NewEvents', { after: '1' }],
    ]);
  });
});

test('a read without a response is repeated after 40 seconds', async () => {
  const limit = new AbortController();
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal);
  const { client, bodies } = connectScripted([hanging, openBody().step]);
  observe(client.events.stream());

  await vi.advanceTimersByTimeAsync(0);
  limit.abort(new DOMException('', 'TimeoutError'));
  await vi.advanceTimersByTimeAsync(250);

  expect(timeout).toHaveBeenCalledWith(40_000);
  expect(kinds(bodies())).toEqual([
    ['NewestEvent', {}],
    ['NewestEvent', {}],
  ]);
});

test.each([
  ['while the newest event is read', [hanging]],
  ['while the first events are read', [page(), hanging]],
  ['between two reads of the first events', [page(), page()]],
  ['while events are streamed', [page('5'), openBody().step]],
  ['before the next connection', [unreachable]],
])('an aborted signal ends the events %s with its reason', async (_title, steps) => {
  const reason = new Error('The user left.');
  const controller = new AbortController();
  const { client, calls } = connectScripted(steps);
  const seen = observe(client.events.stream({ signal: controller.signal }));

  await vi.advanceTimersByTimeAsync(0);
  expect(seen.isEnded).toBe(false);
  controller.abort(reason);
  await vi.advanceTimersByTimeAsync(0);

  expect(seen).toMatchObject({ values: [], isEnded: true });
  expect(seen.error).toBe(reason);
  expect(calls).toHaveLength(steps.length);
  expect(vi.getTimerCount()).toBe(0);
});
