import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Fleet, startFleet } from '../../bench/engine/fleet.ts';
import { countOf, perCpuSecond, runRound } from '../../bench/engine/round.ts';
import { check, connect, send, type Target, WrongResponse } from '../../bench/engine/target.ts';
import { servers, yardstick } from '../../bench/servers/table.ts';
import { portfolioSize, type Workload, workloads } from '../../bench/workloads.ts';
import { whyNotShort } from '../support/long.ts';
import { because, whyNotLinux } from '../support/skipped.ts';

/**
 * Minimum ratio of requests per CPU-second to the plain proxy, for workloads without upstream calls of ours. Far below the
 * ratio on a quiet machine, so that only a gross regression fails.
 */
const minRatios = [
  ['W1', 1],
  ['W5', 0.15],
] as const;

let fleet: Fleet;
beforeAll(async () => {
  fleet = await startFleet({ domains: portfolioSize, cores: null });
});
afterAll(() => fleet[Symbol.asyncDispose]());

const targetOf = (id: string): Target => {
  const target = fleet.targets.find(({ row }) => row.id === id);
  if (!target) throw new Error(`no server ${id}`);
  return target;
};

/** Sends one request and compares the exact response. */
async function exchangeOnce(target: Target, workload: Workload, number: number) {
  const pool = connect(target, 1);
  try {
    const exchange = workload.exchange(number);
    check(target, workload, exchange, await send(pool, target, workload, exchange));
  } finally {
    await pool.close();
  }
}

/** The servers of other libraries take a third of a minute of CPU time. */
const longDescribe = describe.skipIf(whyNotShort);

longDescribe.each(workloads)('$id, $title', (workload) => {
  test.each(servers.map(({ id }) => id))('%s responds with the exact data', async (id) => {
    await exchangeOnce(targetOf(id), workload, 1);
    // Mercurius compiles a document at its second execution.
    await exchangeOnce(targetOf(id), workload, 2);
  });

  test('sends the same document for every request, and new names in W4, W4L and W4b', () => {
    const [one, other] = [workload.exchange(1), workload.exchange(2)].map(({ variables }) =>
      Object.values(variables).flat(),
    );

    expect(workload.document).not.toContain('label-');
    if (['W4', 'W4L', 'W4b'].includes(workload.id)) {
      expect(one?.length).toBeGreaterThan(0);
      expect(one?.filter((name) => other?.includes(name))).toEqual([]);
    }
  });

  test('makes the documented upstream calls when TLDs only are cached', async () => {
    const target = targetOf('ours-uncached');
    await exchangeOnce(target, workload, 3);

    await fleet.upstream.forgetCalls();
    await exchangeOnce(target, workload, 4);

    const { tldlist: _, ...calls } = workload.calls;
    expect(await fleet.upstream.calls()).toEqual(calls);
  });

  test('makes no more upstream calls with default settings', async () => {
    await fleet.upstream.forgetCalls();
    await exchangeOnce(targetOf('ours'), workload, 5);

    const calls = await fleet.upstream.calls();
    expect(countOf(calls)).toBeLessThanOrEqual(countOf(workload.calls));
  });
});

longDescribe('a round', () => {
  const workload = (id: string): Workload => {
    const found = workloads.find((one) => one.id === id);
    if (!found) throw new Error(`no workload ${id}`);
    return found;
  };
  const short = { seconds: 0.25, clients: 2 };

  test.each(servers.map(({ id }) => id))('counts the requests and calls of %s', async (id) => {
    const round = await runRound(targetOf(id), workload('W4b'), fleet.upstream, short);

    expect(round.answered).toBeGreaterThan(0);
    expect(round.refused).toBe(0);
    expect(round.callsPerRequest).toBeGreaterThan(0);
    expect(round.callsPerRequest).toBeLessThanOrEqual(1);
    expect(round.p99Ms).toBeGreaterThanOrEqual(round.p50Ms);
  });

  test('stops at a response with other data', async () => {
    const wrong: Workload = {
      ...workload('W5'),
      exchange: () => ({ variables: {}, path: '/', expected: () => ({ __typename: 'Mutation' }) }),
    };

    await expect(runRound(targetOf('proxy'), wrong, fleet.upstream, short)).rejects.toThrow(
      'proxy answered W5 with something else',
    );
  });

  test.each(servers.filter(({ speaks }) => speaks === 'graphql').map(({ id }) => id))(
    'stops at an error of %s',
    async (id) => {
      const wrong: Workload = { ...workload('W5'), document: '{ noSuchField }' };

      await expect(runRound(targetOf(id), wrong, fleet.upstream, short)).rejects.toThrow(
        WrongResponse,
      );
    },
  );

  test('counts refusals for overload', async () => {
    const refusing = createServer((_request, response) => response.writeHead(503).end());
    await once(refusing.listen(0, '127.0.0.1'), 'listening');
    const { port } = refusing.address() as AddressInfo;
    const { row, child } = targetOf('proxy');
    const target = { row, child: { ...child, url: `http://127.0.0.1:${port}` } };

    const round = await runRound(target, workload('W5'), fleet.upstream, short);
    refusing.close();

    expect(round.answered).toBe(0);
    expect(round.refused).toBeGreaterThan(0);
  });
});

const whyNoCpuTime = whyNotShort ?? whyNotLinux;

describe.skipIf(whyNoCpuTime)(`CPU${because(whyNoCpuTime)}`, () => {
  test.each(minRatios)('%s reaches %d of the plain proxy', async (id, minRatio) => {
    const workload = workloads.find((one) => one.id === id);
    if (!workload) throw new Error(`no workload ${id}`);
    const few = { ...workload, clients: 4 };
    const [ours, other] = [targetOf('ours'), targetOf(yardstick)];
    for (const target of [ours, other])
      await runRound(target, few, fleet.upstream, { seconds: 0.5 });

    const ratios: number[] = [];
    for (let turn = 0; turn < 3; turn += 1) {
      const one = perCpuSecond(await runRound(ours, few, fleet.upstream, { seconds: 0.3 }));
      ratios.push(one / perCpuSecond(await runRound(other, few, fleet.upstream, { seconds: 0.3 })));
    }

    expect(Math.max(...ratios)).toBeGreaterThan(minRatio);
  });
});
