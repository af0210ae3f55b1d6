import { expect, onTestFinished, test } from 'vitest';
import { openStream } from '../../../../test/support/event-stream.ts';
import { dayMs } from '../../../../test/support/simulated-clock.ts';
import {
  changeFive,
  facts,
  fields,
  five,
  intervalMs,
  startWatched,
} from '../../../../test/support/watched-gateway.ts';

const subscription = `subscription ($after: String) { events(after: $after) { ${fields} } }`;

test('five changes behind the back of the gateway are five events within one interval, once each, also after a restart', {
  tags: ['E1'],
}, async () => {
  const here = await startWatched();
  const { time, gateway, events } = here;
  expect(await events()).toMatchObject({ totalCount: 0 });

  await changeFive(here);
  await time.pass(intervalMs);

  const { nodes, totalCount } = await events();
  expect(totalCount).toBe(5);
  expect(nodes.map(facts)).toEqual(five);
  expect(new Set(nodes.map(({ id }: { id: string }) => id)).size).toBe(5);
  await gateway.restart();
  await time.pass(2 * intervalMs);
  expect((await events()).nodes).toEqual(nodes);
});

test('an interval costs one getdomainlist and one resellerdetails, and a day one tldlist', {
  tags: ['E13'],
}, async () => {
  const { time, gateway, skip } = await startWatched({
    env: { EVENTS_INTERVAL_SECONDS: '1200', BALANCE_LOW: 'USD:1' },
  });

  await time.pass(3 * 1_200_000);
  expect(await gateway.countCalls()).toEqual({ getdomainlist: 3, resellerdetails: 3 });
  skip(dayMs);
  await time.pass(3 * 1_200_000);

  expect(await gateway.countCalls()).toEqual({
    ...{ getdomainlist: 6, resellerdetails: 6, tldlist: 1 },
  });
});

test.each([
  [
    'three intervals without a comparison of balances',
    { RENEWALS_DAYS: '0' },
    { getdomainlist: 3 },
  ],
  ['three intervals without events', { EVENTS_INTERVAL_SECONDS: '0' }, {}],
])('%s cost no more than their lists', { tags: ['E13'] }, async (_what, env, calls) => {
  const { time, gateway } = await startWatched({ env });

  await time.pass(3 * intervalMs);

  expect(await gateway.countCalls()).toEqual(calls);
});

test('a subscription sends the events after its cursor and each new one, without a gap or a repetition', {
  tags: ['E5'],
}, async () => {
  const here = await startWatched({ env: { EVENTS_INTERVAL_SECONDS: '10' } });
  const { gateway, time, write } = here;
  await changeFive(here);
  await time.pass(10_000);
  const { nodes } = await here.events();
  const subscribe = async (after: string | null) => {
    const stream = await openStream(gateway.url, {
      query: subscription,
      variables: { after },
    });
    onTestFinished(() => stream.hangUp());
    return { ...stream, event: async () => (await time.during(stream.next()))?.data.data.events };
  };

  const first = await subscribe(nodes[1].cursor);
  expect([await first.event(), await first.event()]).toEqual(nodes.slice(2, 4));
  first.hangUp();
  const second = await subscribe(nodes[3].cursor);
  expect(await second.event()).toEqual(nodes[4]);
  await write('modifyprivacystatus', { domain: 'lowercase-demo.org', status: false });
  const sixth = await second.event();

  expect(facts(sixth)).toEqual(['PRIVACY_CHANGED', 'lowercase-demo.org', 'true', 'false']);
});

test('a cursor before a deleted event is refused, and one at the last deleted event is not', {
  tags: ['E6'],
}, async () => {
  const here = await startWatched({ env: { EVENTS_RETENTION_DAYS: '1' } });
  const { gateway, time } = here;
  await changeFive(here);
  await time.pass(intervalMs);
  const { nodes } = await here.events();
  here.skip(2 * dayMs);
  await time.pass(intervalMs);
  const errorOf = async (after: string) => {
    const query = `query ($after: String) { events(after: $after) { nodes { type } } }`;
    const { errors } = await gateway.query(query, { after });
    const stream = await openStream(gateway.url, { query: subscription, variables: { after } });
    onTestFinished(() => stream.hangUp());
    return [errors, await time.during(stream.rest())];
  };
  const refusal = expect.objectContaining({
    message: expect.stringContaining('Events after this cursor were deleted'),
    extensions: expect.objectContaining({ code: 'INVALID_INPUT', executed: 'NO' }),
  });

  expect(nodes).toHaveLength(5);
  expect(await errorOf(nodes[0].cursor)).toEqual([
    [refusal],
    [
      expect.objectContaining({ data: expect.objectContaining({ errors: [refusal] }) }),
      expect.objectContaining({ event: 'complete' }),
    ],
  ]);
  const rest = await here.events(`(after: "${nodes[4].cursor}")`);
  expect(rest.nodes).toHaveLength(rest.totalCount);
});
