import { describe, expect, test } from 'vitest';
import { createSimulatedClock } from '../../../test/support/simulated-clock.ts';
import { clientsOver, faultOf } from '../../../test/support/upstream/clients.ts';
import { requestOf } from '../../../test/support/upstream/fixtures.ts';
import { Fault } from '../../kernel/faults.ts';
import type { Transport } from './transport.ts';

const timeoutMs = 1_000;

/** An upstream that never replies. */
const silent: Transport = ({ stop }) =>
  new Promise((_, reject) => {
    const fail = () => reject(new Fault('UPSTREAM_TIMEOUT', { executed: 'UNKNOWN' }));
    if (stop.aborted) fail();
    stop.addEventListener('abort', fail);
  });

function start(maxInFlight = 64) {
  const { clock, pass } = createSimulatedClock();
  const { domain } = clientsOver(silent, { clock, timeoutMs, maxInFlight });
  /** The milliseconds until the call fails, from now on; null when that is more than `maxMs`. */
  const endOf = async (call: Promise<unknown>, maxMs: number) => {
    let atMs: number | null = null;
    const fault = faultOf(call);
    void fault.then(() => {
      atMs = clock.monotonicMs();
    });
    const beganMs = clock.monotonicMs();
    await pass(maxMs);
    await pass(0);
    return atMs === null ? null : atMs - beganMs;
  };
  return { domain, endOf };
}

const bulk = (names: number) => ({
  domains: Array.from({ length: names }, (_, at) => `${at}.com`),
});
const registration = requestOf('registerdomain');

describe('without a reply', () => {
  test.each<[string, string, object, object, number]>([
    ['a read ends at its deadline', 'getdetails', { domain: 'a.com' }, {}, timeoutMs],
    ['a check of 3 names gets 3 more seconds', 'bulkcheckavailability', bulk(3), {}, 4_000],
    ['a write gets three times as long', 'registerdomain', registration, {}, 3 * timeoutMs],
    [
      'a read ends at a shorter deadline of its caller',
      'getdetails',
      { domain: 'a.com' },
      { withinMs: 300 },
      300,
    ],
    [
      'a write ends at a shorter deadline of its caller',
      'registerdomain',
      registration,
      { withinMs: 300 },
      300,
    ],
    [
      'no deadline of a caller extends that of a read',
      'getdetails',
      { domain: 'a.com' },
      { withinMs: 5_000 },
      timeoutMs,
    ],
  ])('%s', async (_what, action, request, options, expectedMs) => {
    const { domain, endOf } = start();

    expect(await endOf(domain(action, options, request), 10_000)).toBe(expectedMs);
  });
});

describe('in the queue for a slot', () => {
  test('a read waits until its deadline, and a write for a third of its own, which the reply needs', async () => {
    const read = start(1);
    void faultOf(read.domain('registerdomain'));
    expect(await read.endOf(read.domain('getdetails'), 10_000)).toBe(timeoutMs);

    const write = start(1);
    void faultOf(write.domain('registerdomain'));
    expect(await write.endOf(write.domain('transferdomain'), 10_000)).toBe(timeoutMs);
  });
});
