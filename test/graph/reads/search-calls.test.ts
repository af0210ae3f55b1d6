import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parseDomainName } from '../../../src/kernel/domain-name.ts';
import { CallBudget } from '../../../src/kernel/upstream-calls.ts';
import type { CheckTogether } from '../../../src/modules/availability/check.ts';
import { createSearchPace } from '../../../src/modules/search/pace.ts';
import { runSearch } from '../../../src/modules/search/run.ts';
import { type EventStream, openStream } from '../../support/event-stream.ts';
import { everyTld, startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { createGatewayClock, type GatewayClock } from '../../support/gateway-clock.ts';
import { plainQuotes } from '../../support/plain-quotes.ts';
import {
  checkedNames,
  checkedTlds,
  checkSizes,
  followDocument,
  label,
  learnPace,
  nameOf,
  searchDocument,
  search as searchNow,
  soldTlds,
} from './searching.ts';

let time: GatewayClock;
let gateway: TestGateway;
const streams: EventStream[] = [];
beforeEach(async () => {
  time = createGatewayClock();
  gateway = await startTestGateway({
    sandboxDomains: 5,
    sandboxTlds: everyTld,
    env: { MAX_UPSTREAM_CALLS: '20' },
    clock: time.clock,
  });
});
afterEach(async () => {
  for (const stream of streams.splice(0)) stream.hangUp();
  await gateway.close();
});

const names = (tlds: readonly string[]) => tlds.map((tld) => `${label}.${tld}`);
const everything = { label, first: 1000 };
const msPerName = (ms: number) => gateway.admin('POST', '/latency', { perNameMs: ms });
const held = async () => ((await gateway.admin('GET', '/held')) as { held: number }).held;

const search: typeof searchNow = (...args) => time.during(searchNow(...args));

const follow = async (variables: object = everything) => {
  const stream = await openStream(gateway.url, { query: followDocument('position'), variables });
  streams.push(stream);
  return stream;
};

/** Follows a search to its end; `timesMs` says when each result arrived. */
async function followed(variables: object) {
  const startedMs = time.clock.monotonicMs();
  const stream = await follow(variables);
  const found: string[] = [];
  const timesMs: number[] = [];
  let event = await stream.next();
  for (; event?.event === 'next'; event = await stream.next()) {
    found.push(nameOf(event.data.data.searchDomains));
    timesMs.push(time.clock.monotonicMs() - startedMs);
  }
  return { found, timesMs, end: event };
}

describe('the size of a bulk call', () => {
  test('is 100 names of several labels once the registry is known to be fast', async () => {
    await learnPace(gateway);
    const labels = Array.from({ length: 10 }, (_, at) => `maple-many-${at}`);
    const query = `query ($labels: [String!]!, $tlds: [String!]) {
      searchDomains(labels: $labels, tlds: $tlds) { position } }`;

    const variables = { labels, tlds: soldTlds.slice(0, 10) };
    const { data, extensions } = await time.during(gateway.query(query, variables));

    expect(data.searchDomains).toHaveLength(100);
    expect(await gateway.countCalls()).toEqual({ tldlist: 1, bulkcheckavailability: 1 });
    expect(extensions.cost.upstreamCalls).toBe(2);
  });

  test('shrinks when a registry slows down and grows when it recovers', async () => {
    await learnPace(gateway);
    await msPerName(20);
    const forty = { label, tlds: soldTlds.slice(0, 40) };

    await search(gateway, everything);
    await gateway.resetCalls();
    await search(gateway, forty);
    const slower = await checkSizes(gateway);
    await msPerName(0);
    await search(gateway, everything);
    await gateway.resetCalls();
    await search(gateway, forty);

    // 40 names took 20 ms each, and half a second is to be filled.
    expect(slower).toHaveLength(2);
    expect(Math.max(...slower)).toBeLessThan(30);
    expect(await checkSizes(gateway)).toEqual([40]);
  });

  test('does not shrink when each call takes longer', async () => {
    for (const perCallMs of [600, 2_000]) {
      await gateway.admin('POST', '/latency', { perCallMs, perNameMs: 15 });
      await search(gateway, { label, first: 100 });
      expect((await checkSizes(gateway)).length).toBeLessThanOrEqual(14);
      await gateway.resetCalls();
    }
  });

  test('limits the delay by one slow TLD to a second for the other names', async () => {
    await learnPace(gateway);
    const forty = { label, tlds: soldTlds.slice(0, 40) };
    await gateway.admin('POST', '/faults', {
      fault: 'delay',
      ms: 3_000,
      domain: `${label}.net`,
      times: 10,
    });

    const { timesMs } = await time.during(followed(forty));

    expect(timesMs).toHaveLength(40);
    expect(timesMs.filter((ms) => ms < 1_500)).toHaveLength(38);
  });
});

describe('search slots', () => {
  test('limit all searches of the process to 8 calls in flight beside the first call of each, and single checks bypass them', async () => {
    await gateway.admin('POST', '/faults', {
      fault: 'hold-before',
      action: 'bulkcheckavailability',
      times: 1_000,
    });
    const searches = [everything, everything, everything].map((one) => searchNow(gateway, one));
    await expect.poll(held).toBe(11);
    await time.untilIdle();

    const single = await gateway.query('{ availability(name: "not-registered.com") { state } }');

    expect(single.data.availability.state).toBe('AVAILABLE');
    expect(await held()).toBe(11);
    await gateway.admin('DELETE', '/faults');
    await gateway.admin('POST', '/release', {});
    for (const found of await time.during(Promise.all(searches)))
      expect(found).toHaveLength(checkedTlds.length);
  });

  test('do not delay a search that has all its results', async () => {
    let isTaken = false;
    const places = {
      async enter(signal: AbortSignal) {
        if (isTaken) await time.clock.wait(60_000, signal);
        isTaken = true;
      },
      leave: () => undefined,
    };
    const { signal } = new AbortController();
    const candidate = { tld: null, named: true, suggested: false, refusal: null };
    const plan = {
      candidates: ['a.com', 'b.com'].map((name) => ({ ...candidate, name: parseDomainName(name) })),
      filter: {},
      first: 2,
    };
    const checkTogether: CheckTogether = async (requested) =>
      requested.map((name) => ({ name, domain: name, state: 'TAKEN', offer: null, fault: null }));
    const found: string[] = [];

    const pace = createSearchPace({ clock: time.clock, places });
    await runSearch(
      plan,
      {
        pace,
        checkTogether,
        clock: time.clock,
        options: { signal, budget: new CallBudget(20) },
        quotes: plainQuotes,
      },
      ({ availability }) => found.push(availability.name),
    );

    expect(found).toEqual(['a.com', 'b.com']);
  });
});

test('a later search of a non-ASCII label checks the TLDs last that omitted such a label', async () => {
  const first = await search(gateway, { label: 'bücher' });
  const checkedFirst = await checkedNames(gateway);
  await gateway.resetCalls();

  const second = await search(gateway, { label: 'größe' });

  expect(second).toHaveLength(first.length);
  expect((await checkedNames(gateway)).length).toBeLessThan(checkedFirst.length / 2);
});

describe('a registry that takes 300 ms per name', () => {
  test('delivers the first results long before the last, and loses no name', async () => {
    await msPerName(300);
    const tlds = soldTlds.slice(0, 60);

    const { found, timesMs, end } = await time.during(followed({ label, tlds }));

    expect(timesMs[0]).toBeLessThan(1_000);
    expect(timesMs.at(-1)).toBeGreaterThan(2_000);
    expect(found.toSorted()).toEqual(names(tlds).toSorted());
    expect(end).toEqual({ event: 'complete', data: null });
    expect((await checkedNames(gateway)).toSorted()).toEqual(names(tlds).toSorted());
    expect((await gateway.upstreamCalls()).length).toBeLessThanOrEqual(20);
  });
});

test('a search over all TLDs of a registry that takes 10 ms per name fits the calls of one request', async () => {
  await msPerName(10);

  const results = await search(gateway, everything, 'availability { state }');

  expect(results.map(nameOf).toSorted()).toEqual(names(checkedTlds).toSorted());
  expect(new Set(results.map(({ availability }) => availability.state))).toEqual(
    new Set(['AVAILABLE']),
  );
  expect((await gateway.upstreamCalls()).length).toBeLessThanOrEqual(20);
});

describe('a search starts no call after its client disconnects:', () => {
  /** The number of received calls, after time for the disconnect and for calls in flight. */
  const received = async () => {
    await time.pass(10_000);
    return (await checkSizes(gateway)).length;
  };

  const leaveQuery = async (accept: string, directive: string) => {
    const leaving = new AbortController();
    const response = fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept },
      body: JSON.stringify({ query: searchDocument('position', directive), variables: everything }),
      signal: leaving.signal,
    });
    response.catch(() => undefined);
    await expect.poll(async () => (await checkSizes(gateway)).length).toBe(8);
    leaving.abort();
  };

  test.each([
    [
      'a subscription',
      async () => {
        const stream = await follow();
        await time.during(stream.next());
        stream.hangUp();
      },
    ],
    ['a streamed list', () => leaveQuery('multipart/mixed', '@stream')],
    ['a list in one piece', () => leaveQuery('application/json', '')],
  ])('%s', async (_what, leave) => {
    await msPerName(200);

    await leave();
    await time.untilIdle();
    const before = (await checkSizes(gateway)).length;

    expect(await received()).toBe(before);
    expect(before).toBeLessThanOrEqual(16);
    expect(gateway.lines).toEqual([]);
    // Its slots are released.
    await msPerName(0);
    expect(await search(gateway, { label, tlds: ['com', 'net'] })).toHaveLength(2);
  });
});
