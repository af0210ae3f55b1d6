import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Fleet, startFleet } from '../../bench/engine/fleet.ts';
import { countOf, perCpuSecond, runRound } from '../../bench/engine/round.ts';
import { check, connect, send, type Target } from '../../bench/engine/target.ts';
import { servers, yardstick } from '../../bench/servers/table.ts';
import { portfolioSize, type Workload, workloads } from '../../bench/workloads.ts';

/**
 * Minimum ratio of requests per CPU-second to the textbook server, for workloads without upstream calls. Far below the ratio
 * on a quiet machine, so that only a gross regression fails.
 */
const leastRatios = [
  ['W1', 0.8],
  ['W5', 1.2],
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

describe.each(workloads)('$id, $title', (workload) => {
  test.each(servers.map(({ id }) => id))('%s responds with the exact data', async (id) => {
    await exchangeOnce(targetOf(id), workload, 1);
  });

  test('makes the documented upstream calls without caching', async () => {
    const target = targetOf('ours-uncached');
    await exchangeOnce(target, workload, 2);

    await fleet.upstream.forgetCalls();
    await exchangeOnce(target, workload, 3);

    expect(await fleet.upstream.calls()).toEqual(workload.calls);
  });

  test('makes no more upstream calls with default settings', async () => {
    await fleet.upstream.forgetCalls();
    await exchangeOnce(targetOf('ours'), workload, 4);

    const calls = await fleet.upstream.calls();
    expect(countOf(calls)).toBeLessThanOrEqual(countOf(workload.calls));
  });
});

test('a server with a wrong response is detected', async () => {
  const [workload] = workloads;
  if (!workload) throw new Error('no workload');
  const other = { ...workload.exchange(1), expected: () => ({ domains: { nodes: [] } }) };
  const pool = connect(targetOf('ours'), 1);

  const text = await send(pool, targetOf('ours'), workload, other);
  await pool.close();

  expect(() => check(targetOf('ours'), workload, other, text)).toThrow('something else');
});

describe.runIf(process.platform === 'linux')('CPU', () => {
  test.each(leastRatios)('%s reaches %d of the textbook server', async (id, leastRatio) => {
    const workload = workloads.find((one) => one.id === id);
    if (!workload) throw new Error(`no workload ${id}`);
    const few = { ...workload, clients: 4 };
    const [ours, other] = [targetOf('ours'), targetOf(yardstick)];
    for (const target of [ours, other]) await runRound(target, few, fleet.upstream, 0.5);

    const ratios: number[] = [];
    for (let turn = 0; turn < 3; turn += 1) {
      const one = perCpuSecond(await runRound(ours, few, fleet.upstream, 0.3));
      ratios.push(one / perCpuSecond(await runRound(other, few, fleet.upstream, 0.3)));
    }

    expect(Math.max(...ratios)).toBeGreaterThan(leastRatio);
  });
});
