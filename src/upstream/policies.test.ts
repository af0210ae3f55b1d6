import { describe, expect, test } from 'vitest';
import { createSimulatedClock, endOfTurn } from '../../test/support/simulated-clock.ts';
import {
  answering,
  clientsOver,
  faultOf,
  reply,
  stillClock,
} from '../../test/support/upstream/clients.ts';
import { actionsWithReply, replyText } from '../../test/support/upstream/fixtures.ts';
import { Secret } from '../kernel/secret.ts';
import { systemRandomness } from '../lib/system.ts';
import type { WireRequest, WireResponse } from './client/transport.ts';
import { createDomainClient } from './domain-api/client.ts';
import { domainApi } from './domain-api/operations.ts';
import { ConcurrencyLimit } from './policies/concurrency.ts';

const never = new AbortController().signal;

describe('retries', () => {
  /** Named here again: a write whose row says `read` would be sent three times. */
  const repeatable = new Set<string>([
    'bulkcheckavailability',
    'getcontacts',
    'getdetails',
    'getdomainlist',
    'resellerdetails',
    'singlecheckavailability',
    'tldlist',
  ]);

  test('exactly the listed actions have the effect of a read', () => {
    const reads = Object.entries(domainApi)
      .filter(([, { effect }]) => effect === 'read')
      .map(([action]) => action);

    expect([...repeatable].sort()).toEqual(reads.sort());
  });

  test.each(actionsWithReply)(
    '%s is sent three times if it is a read, and once otherwise, while the upstream is down',
    async (action) => {
      const { domain, sent } = answering(reply('', 503));

      await faultOf(domain(action));

      expect(sent).toHaveLength(repeatable.has(action) ? 3 : 1);
    },
  );

  test.each(['logout', 'createCart', 'updateHostingGroup', 'deleteHostingGroup', 'deleteLogs'])(
    '%s is sent once while the upstream is down',
    async (name) => {
      const { account, sent } = answering(reply('', 503));

      await faultOf(account(name));

      expect(sent).toHaveLength(1);
    },
  );

  test('the pauses grow, with jitter', async () => {
    const { clock, waits } = stillClock();

    await faultOf(answering(reply('', 503), clock).domain('getdetails'));

    expect(waits).toEqual([100, 200]);
  });

  test('a Retry-After of up to two seconds is respected', async () => {
    const short = stillClock();
    const patient = clientsOver(async () => reply('', 429, { 'retry-after': '2' }), {
      clock: short.clock,
      timeoutMs: 10_000,
    });
    const long = stillClock();
    const asked = answering(reply('', 429, { 'retry-after': '3' }), long.clock);

    await faultOf(patient.domain('getdetails'));
    const fault = await faultOf(asked.domain('getdetails'));

    expect(short.waits).toEqual([2_100, 2_200]);
    expect(long.waits).toEqual([]);
    expect(asked.sent).toHaveLength(1);
    expect(fault.facts.retryAfterMs).toBe(3_000);
  });

  test('no pause outlasts the deadline of the whole read', async () => {
    const { clock, waits, passMs } = stillClock();
    const slow = answering(() => {
      passMs(450);
      return reply('', 503);
    }, clock);

    await faultOf(slow.domain('getdetails'));

    // 450 + 100 + 450 is at the deadline of 1000.
    expect(waits).toEqual([100]);
    expect(slow.sent).toHaveLength(2);
  });
});

describe('slots', () => {
  test('reads in flight never exceed their slots, and the queue is first in, first out', async () => {
    const order: string[] = [];
    const replies: ((value: WireResponse) => void)[] = [];
    const { domainApi: api } = clientsOver(
      ({ body = '' }) => {
        order.push(JSON.parse(body).domain);
        return new Promise((resolve) => replies.push(resolve));
      },
      { maxInFlight: 3, timeoutMs: 5_000 },
    );
    const calls = ['a', 'b', 'c', 'd'].map((domain) => api.getdetails({ domain }, {}));

    await endOfTurn();
    expect(order).toEqual(['a', 'b']);
    replies[1]?.(reply(replyText('getdetails')));
    await endOfTurn();
    expect(order).toEqual(['a', 'b', 'c']);

    while (order.length < 4 || replies.length > 0) {
      replies.shift()?.(reply(replyText('getdetails')));
      await endOfTurn();
    }
    await Promise.all(calls);
  });

  test('the wait for a slot counts in the deadline, and a write without a slot was not executed', async () => {
    const { clock, pass } = createSimulatedClock();
    const options = { maxInFlight: 1, timeoutMs: 50, clock };
    const { domain } = clientsOver(() => new Promise(() => {}), options);
    void domain('registerdomain').catch(() => {});
    const waiting = Promise.all([faultOf(domain('getdetails')), faultOf(domain('transferdomain'))]);

    await pass(50);
    const [read, write] = await waiting;

    expect(read).toMatchObject({ code: 'UPSTREAM_TIMEOUT', executed: 'NO' });
    expect(write).toMatchObject({ code: 'UPSTREAM_TIMEOUT', executed: 'NO' });
  });

  test('an aborted wait leaves the queue', async () => {
    const slots = new ConcurrencyLimit(() => 1);
    const impatient = new AbortController();
    await slots.enter(never);
    const first = slots.enter(impatient.signal);
    const second = slots.enter(never);

    impatient.abort(new Error('gone'));
    await expect(first).rejects.toThrow('gone');
    slots.leave();
    await second;
    slots.leave();

    await slots.enter(never);
  });

  test('failed calls release their slots', async () => {
    const { domain } = clientsOver(async () => reply('', 503), {
      maxInFlight: 1,
      clock: stillClock().clock,
    });

    for (let call = 0; call < 5; call += 1) await faultOf(domain('registerdomain'));
  });
});

describe('credentials', () => {
  test('a change of credentials ends the login pause, and a call with the old ones starts no new one', async () => {
    let password = 'old';
    const sent: string[] = [];
    const refusal = JSON.stringify({ result: 'ERROR', error: { Code: 'API_300_ERROR' } });
    const { actions: api } = createDomainClient({
      ...stillTime(),
      transport: async ({ body = '' }) => {
        const used = JSON.parse(body).password as string;
        sent.push(used);
        return used === 'old' ? reply(refusal, 400) : reply(replyText('getdetails'));
      },
      credentials: () => ({ username: 'acme', password: new Secret(password) }),
    });
    const read = () => api.getdetails({ domain: 'a.com' }, {});
    await faultOf(read());
    expect(await faultOf(read())).toMatchObject({ code: 'UPSTREAM_AUTH', executed: 'NO' });
    expect(sent).toEqual(['old']);

    password = 'new';
    await read();

    expect(sent).toEqual(['old', 'new']);
  });
});

describe('an observer', () => {
  test('receives the beginning and end of each attempt, and can add headers', async () => {
    const seen: unknown[] = [];
    const headers: WireRequest['headers'][] = [];
    const statuses = [503, 200];
    const { actions: api } = createDomainClient({
      ...stillTime(),
      transport: async (request) => {
        headers.push(request.headers);
        return reply(replyText('getdetails'), statuses.shift());
      },
      credentials: () => ({ username: 'acme', password: new Secret('x') }),
      observer: {
        begin(call) {
          seen.push(call);
          return {
            headers: () => ({ traceparent: 'its own', 'content-type': 'not this' }),
            end: (...end) => void seen.push(end),
          };
        },
      },
    });

    await api.getdetails({ domain: 'a.com' }, { requestId: 'request-1', trace: 7 });

    const call = { api: 'domain', action: 'getdetails', effect: 'read' };
    const cause = { requestId: 'request-1', trace: 7 };
    expect(seen).toEqual([
      { ...call, ...cause, attempt: 1 },
      ['UPSTREAM_UNAVAILABLE', 503, undefined],
      { ...call, ...cause, attempt: 2 },
      ['OK', 200, undefined],
    ]);
    expect(headers[0]).toEqual({ traceparent: 'its own', 'content-type': 'application/json' });
  });

  test('that throws does not fail the call', async () => {
    const { actions: api } = createDomainClient({
      ...stillTime(),
      transport: async () => reply(replyText('getdetails')),
      credentials: () => ({ username: 'acme', password: new Secret('x') }),
      observer: {
        begin: () => ({ headers: () => fail(), end: () => fail() }),
      },
    });

    await api.getdetails({ domain: 'a.com' }, {});
  });
});

const fail = (): never => {
  throw new Error('the observer fails');
};

const stillTime = () => ({
  clock: stillClock().clock,
  randomness: systemRandomness,
  timeoutMs: 1_000,
  maxInFlight: 16,
  queueBudgetMs: 2_000,
  ratePerSecond: 0,
});
