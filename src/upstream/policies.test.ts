import { describe, expect, test } from 'vitest';
import { answering, faultOf, reply, stillClock } from '../../test/support/upstream/clients.ts';
import { actionsWithReply, replyText } from '../../test/support/upstream/fixtures.ts';
import { Secret } from '../kernel/secret.ts';
import { systemRandomness } from '../lib/system.ts';
import type { WireRequest } from './client/transport.ts';
import { createDomainClient } from './domain-api/client.ts';
import { domainApi } from './domain-api/operations.ts';

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
});

describe('an observer', () => {
  const start = (headers: () => object, end = () => undefined) => {
    const sent: WireRequest[] = [];
    const { actions } = createDomainClient({
      ...{ clock: stillClock().clock, randomness: systemRandomness, timeoutMs: 1_000 },
      ...{ maxInFlight: 16, queueBudgetMs: 2_000, ratePerSecond: 0 },
      transport: async (request) => {
        sent.push(request);
        return reply(replyText('getdetails'), sent.length > 1 ? 200 : 503);
      },
      credentials: () => ({ username: 'acme', password: new Secret('x') }),
      observer: {
        begin: () => ({ headers: headers as () => Record<string, string>, end }),
        breakerOpened: () => undefined,
      },
    });
    return { sent, read: () => actions.getdetails({ domain: 'a.com' }, {}) };
  };

  test('adds headers to each attempt, and replaces none', async () => {
    const { sent, read } = start(() => ({ traceparent: 'its own', 'content-type': 'not this' }));

    await read();

    const headers = { traceparent: 'its own', 'content-type': 'application/json' };
    expect(sent.map((request) => request.headers)).toEqual([headers, headers]);
  });

  test('that throws does not fail the call', async () => {
    const fail = (): never => {
      throw new Error('the observer fails');
    };

    await start(fail, fail).read();
  });
});
