import { describe, expect, test } from 'vitest';
import { reply } from '../../../test/support/upstream/clients.ts';
import { replyText } from '../../../test/support/upstream/fixtures.ts';
import { Secret } from '../../kernel/secret.ts';
import { type Clock, createDeadline } from '../../lib/clock.ts';
import { CacheRevision } from '../../lib/lazy.ts';
import { systemClock, systemRandomness } from '../../lib/system.ts';
import type { Transport, WireRequest } from '../client/transport.ts';
import type { WireResponse } from '../wire/classify.ts';
import { createDomainClient } from './client.ts';
import { createDomainApi } from './domain-api.ts';

/** A clock on which no time passes: a wait ends with its signal only, and a deadline with the abort of the client. */
const frozen: Clock = {
  ...systemClock,
  monotonicMs: () => 0,
  wait: (ms, signal) =>
    ms === 0
      ? systemClock.wait(0, signal)
      : new Promise((_, reject) =>
          signal?.addEventListener('abort', () => reject(signal.reason), { once: true }),
        ),
  deadline: (_ms, abort) => createDeadline(() => () => undefined, abort),
};

const replied = () => reply(replyText('getdetails'));
const busy = () => reply('', 429, { 'retry-after': '0.5' });
const settle = () => new Promise((resolve) => setImmediate(resolve));

function connect(transport: Transport, options: { ratePerSecond?: number } = {}) {
  return createDomainClient({
    ...{ transport, clock: frozen, timeoutMs: 10_000, queueBudgetMs: 10_000 },
    randomness: { ...systemRandomness, fraction: () => 0.5 },
    ...{ maxInFlight: 1, ratePerSecond: 0, ...options },
    credentials: () => ({ username: 'acme', password: new Secret('secret') }),
  }).actions;
}

/** Sends one read, aborts it once it waits, and returns its end and the number of attempts on the wire. */
async function abortRead(
  api: ReturnType<typeof connect>,
  whileWaiting: () => Promise<unknown> = settle,
) {
  const client = new AbortController();
  const read = api.getdetails({ domain: 'left.com' }, { signal: client.signal });
  const end = read.catch((error: unknown) => error);
  await whileWaiting();
  await settle();
  client.abort(new Error('gone'));
  await settle();
  return Promise.race([end, Promise.resolve('it still waits')]);
}

describe("the client's abort ends a read with the reason of the client", () => {
  const gone = new Error('gone');

  test('during the pause before a retry', async () => {
    expect(await abortRead(connect(async () => reply('', 503)))).toEqual(gone);
  });

  test('during a Retry-After pause', async () => {
    const api = connect(async () => busy());
    api.tldlist({ count: 1 }, {}).catch(() => undefined);
    await settle();

    expect(await abortRead(api)).toEqual(gone);
  });

  test('in the queue for a slot', async () => {
    const api = connect(() => new Promise(() => undefined));
    void api.tldlist({ count: 1 }, {});

    expect(await abortRead(api)).toEqual(gone);
  });

  test('during a Retry-After pause that begins while it is in the queue for a slot', async () => {
    const first = Promise.withResolvers<WireResponse>();
    const api = connect(() => first.promise);
    api.tldlist({ count: 1 }, {}).catch(() => undefined);

    const end = await abortRead(api, async () => {
      await settle();
      first.resolve(busy());
      await settle();
    });

    expect(end).toEqual(gone);
  });

  test('in the queue for the rate limit', async () => {
    const api = connect(async () => replied(), { ratePerSecond: 1 });
    await api.getdetails({ domain: 'first.com' }, {});

    expect(await abortRead(api)).toEqual(gone);
  });

  test('on the wire, where the attempt ends too', async () => {
    const sent: WireRequest[] = [];
    const api = connect((request) => {
      sent.push(request);
      return new Promise((_, reject) =>
        request.stop.addEventListener('abort', () => reject(request.signal?.reason)),
      );
    });

    expect(await abortRead(api)).toEqual(gone);
    expect(sent).toHaveLength(1);
  });
});

test('a write goes on when its client disconnects', async () => {
  const sent: WireRequest[] = [];
  const response = Promise.withResolvers<WireResponse>();
  const api = connect((request) => {
    sent.push(request);
    return response.promise;
  });
  const client = new AbortController();
  const written = api.disabletheftlock({ domain: 'a.com' }, { signal: client.signal });
  await settle();

  client.abort(new Error('gone'));
  expect(sent.map(({ stop, signal }) => [stop.aborted, signal])).toEqual([[false, undefined]]);
  response.resolve(reply(replyText('disabletheftlock')));

  await expect(written).resolves.toBeDefined();
});

describe('a call that several clients wait for', () => {
  function share() {
    const sent: WireRequest[] = [];
    const api = createDomainApi(
      connect((request) => {
        sent.push(request);
        return new Promise(() => undefined);
      }),
      {
        ...{ clock: frozen, revision: new CacheRevision(), notices: null },
        maxAges: { tldsMs: 0, domainsMs: 0, availabilityMs: 0 },
      },
    );
    return { api, sent };
  }
  type Api = ReturnType<typeof share>['api'];

  test.each<[string, (api: Api, signal: AbortSignal) => Promise<unknown>]>([
    ['details', (api, signal) => api.getdetails({ domain: 'a.com' }, { shared: true, signal })],
    ['checks of names', (api, signal) => api.checkNames(['a.com'], { shared: true, signal })],
  ])('ends on the wire when the last of them leaves, not before: %s', async (_what, read) => {
    const { api, sent } = share();
    const clients = [new AbortController(), new AbortController()];
    const ends = clients.map(({ signal }) => read(api, signal).catch((error: Error) => error));
    await settle();
    await settle();
    expect(sent).toHaveLength(1);

    clients[0]?.abort(new Error('first'));
    expect(await ends[0]).toEqual(new Error('first'));
    expect(sent[0]?.stop.aborted).toBe(false);
    clients[1]?.abort(new Error('second'));
    expect(await ends[1]).toEqual(new Error('second'));
    expect(sent[0]?.stop.aborted).toBe(true);
  });
});
