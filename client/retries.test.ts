import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  connectScripted,
  json,
  observe,
  type Step,
  unreachable,
} from '../test/support/scripted-fetch.ts';
import type { RegisterDomainInput } from './index.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  vi.spyOn(Math, 'random').mockReturnValue(1);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const query = '{ reseller { name } }';
const data = { reseller: { name: 'Demo' } };
const temporary = (extensions: object = {}, headers: Record<string, string> = {}) =>
  json(
    {
      errors: [{ message: '', extensions: { code: 'OVERLOADED', retryable: true, ...extensions } }],
    },
    ...([503, headers] as const),
  );
const refused = json({ errors: [{ message: '', extensions: { code: 'FORBIDDEN' } }] }, 403);

/** The outcome of a request whose attempts get these responses, within five minutes. */
async function outcomeOf(steps: readonly Step[], send: Send, options = {}) {
  const script = connectScripted(steps, options);
  const outcome = Promise.allSettled([send(script.client)]);
  await vi.advanceTimersByTimeAsync(300_000);
  const [settled] = await outcome;
  return { ...script, settled };
}
type Send = (client: ReturnType<typeof connectScripted>['client']) => Promise<unknown>;

describe('a query', () => {
  const send: Send = (client) => client.request(query);

  test('is sent again after a temporary error, with twice the pause of the time before', async () => {
    const { settled, pauses } = await outcomeOf([unreachable, json('', 502), json({ data })], send);

    expect(settled).toEqual({ status: 'fulfilled', value: data });
    expect(pauses()).toEqual([250, 500]);
  });

  test('is sent three times at most, or as often as the client was configured', async () => {
    const steps = Array<Step>(5).fill(unreachable);

    expect((await outcomeOf(steps, send)).calls).toHaveLength(3);
    const { settled, calls } = await outcomeOf(steps, send, { maxAttempts: 5 });
    expect(calls).toHaveLength(5);
    expect(settled).toMatchObject({ status: 'rejected', reason: { code: 'NETWORK_ERROR' } });
  });

  test.each([
    ['a header', temporary({}, { 'retry-after': '7' }), [7_000]],
    ['the error', temporary({ retryAfterMs: 9_000 }), [9_000]],
    ['an error that requires less', temporary({ retryAfterMs: 1 }), [250]],
    ['an error that requires more than 30 seconds', temporary({ retryAfterMs: 30_001 }), []],
    ['an error that is not temporary', refused, []],
  ])('respects the wait of %s', async (_title, step, expected) => {
    expect((await outcomeOf([step, json({ data })], send)).pauses()).toEqual(expected);
  });

  test('is not sent again when its signal aborts during the wait', async () => {
    const controller = new AbortController();
    const { client, calls } = connectScripted([unreachable, json({ data })]);
    const sent = Promise.allSettled([client.request(query, {}, controller)]);

    await vi.advanceTimersByTimeAsync(100);
    controller.abort('left');

    expect(await sent).toEqual([{ status: 'rejected', reason: 'left' }]);
    expect(calls).toHaveLength(1);
  });

  test('of a list is sent again', async () => {
    const page = json({
      data: { domains: { nodes: [{ name: 'a.com' }], pageInfo: { hasNextPage: false } } },
    });
    const { client } = connectScripted([unreachable, page]);
    const seen = observe(client.domains.list({ filter: { tlds: ['com'] } }));

    await vi.advanceTimersByTimeAsync(250);

    expect(seen).toMatchObject({ values: [{ name: 'a.com' }], isEnded: true });
  });
});

const payload = { purchase: null, quote: null, replayed: false, keyUsed: false, errors: [] };
const input = { domain: 'a.com' } as RegisterDomainInput;

describe('a mutation', () => {
  test.each<[string, Send]>([
    ['as text', (client) => client.request('mutation { logout { errors { code } } }')],
    ['of name servers', (client) => client.domains.setNameServers('a.com', ['ns1.b.com'])],
    ['of privacy', (client) => client.domains.setPrivacyProtection('a.com', true)],
  ])('without an idempotency key is sent once: %s', async (_title, send) => {
    const { calls, settled } = await outcomeOf([temporary(), json({ data })], send);

    expect(calls).toHaveLength(1);
    expect(settled).toMatchObject({
      reason: { code: 'OVERLOADED', isTemporary: true, idempotencyKey: null },
    });
  });

  const methods: readonly [string, Send][] = [
    ['registerDomain', (client) => client.purchases.register(input)],
    ['transferDomain', (client) => client.purchases.transfer({ domain: 'a.com', authCode: 'x' })],
    ['placeOrder', (client) => client.orders.place({ lines: [] })],
    [
      'changeDomains',
      (client) => client.bulkChanges.start({ names: [], change: { sync: true }, expectedCount: 0 }),
    ],
  ];

  test.each(methods)(
    '%s is sent again with the key that the client generated, and returns it',
    async (field, send) => {
      const steps = [unreachable, temporary(), json({ data: { [field]: payload } })];
      const { settled, bodies } = await outcomeOf(steps, send);
      const keys = bodies().map(({ variables }) => Object(variables?.input).idempotencyKey);

      expect(keys[0]).toMatch(/^[\da-f-]{36}$/);
      expect(keys).toEqual([keys[0], keys[0], keys[0]]);
      expect(settled).toEqual({
        status: 'fulfilled',
        value: { ...payload, idempotencyKey: keys[0] },
      });
      const other = await outcomeOf([json({ data: { [field]: payload } })], send);
      expect(Object(other.bodies()[0]?.variables?.input).idempotencyKey).not.toBe(keys[0]);
    },
  );

  test('has the key of the caller, which is in the error too', async () => {
    const { settled, bodies } = await outcomeOf(Array<Step>(3).fill(unreachable), (client) =>
      client.purchases.register({ ...input, idempotencyKey: 'form-1' }),
    );

    expect(settled).toMatchObject({ reason: { code: 'NETWORK_ERROR', idempotencyKey: 'form-1' } });
    expect(bodies().map(({ variables }) => variables)).toEqual(
      [1, 2, 3].map(() => ({ input: { domain: 'a.com', idempotencyKey: 'form-1' } })),
    );
  });

  test('that is refused is sent once, and its errors are data', async () => {
    const errors = [{ code: 'PURCHASES_STOPPED', retryable: true }];
    const step = json({ data: { registerDomain: { ...payload, errors } } });
    const { settled, calls } = await outcomeOf([step], (client) =>
      client.purchases.register(input),
    );

    expect(settled).toMatchObject({ status: 'fulfilled', value: { errors } });
    expect(calls).toHaveLength(1);
  });
});
