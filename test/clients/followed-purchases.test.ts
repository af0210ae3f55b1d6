import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  connectScripted,
  json,
  lostAfter,
  observe,
  openBody,
  refused,
  results,
  unreachable,
} from '../support/scripted-fetch.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const reason = new Error('The user left.');

describe('purchases.wait', () => {
  const settled = { id: 'p1', state: 'SUCCEEDED' };

  test('resolves with the settled purchase, after lost connections and restarts', async () => {
    const { client, calls, bodies } = connectScripted([
      unreachable,
      results(),
      lostAfter(),
      json('', 503),
      results({ purchaseSettled: settled }),
    ]);

    const purchase = client.purchases.wait('p1');
    await vi.advanceTimersByTimeAsync(20_000);

    expect(await purchase).toEqual(settled);
    expect(calls).toHaveLength(5);
    for (const { query, variables } of bodies()) {
      expect(query).toContain('subscription PurchaseSettled');
      expect(variables).toEqual({ id: 'p1' });
    }
  });

  test('closes its connection', async () => {
    const body = openBody();
    const { client, calls } = connectScripted([body.step]);

    const purchase = client.purchases.wait('p1');
    await vi.advanceTimersByTimeAsync(0);
    body.next({ data: { purchaseSettled: settled } });

    expect(await purchase).toEqual(settled);
    expect(calls[0]?.init.signal?.aborted).toBe(true);
  });

  test('rejects with an error that is not temporary', async () => {
    const { client, calls } = connectScripted([refused('NOT_FOUND')]);

    await expect(client.purchases.wait('none')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(calls).toHaveLength(1);
  });

  test.each([
    ['while it is connected', [openBody().step]],
    ['before the next connection', [unreachable]],
  ])('rejects with the reason of an aborted signal %s', async (_title, steps) => {
    const controller = new AbortController();
    const { client, calls } = connectScripted(steps);

    const purchase = client.purchases.wait('p1', { signal: controller.signal });
    const checked = expect(purchase).rejects.toBe(reason);
    await vi.advanceTimersByTimeAsync(0);
    controller.abort(reason);

    await checked;
    expect(calls).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('orders.follow', () => {
  const order = (succeeded: number, state = 'RUNNING') => ({
    orderProgress: { order: { id: 'o1', state, progress: { succeeded } }, changed: [] },
  });

  test('yields each update, continues after a lost connection, and ends with the order', async () => {
    const last = order(3, 'SUCCEEDED');
    const { client, calls, bodies } = connectScripted([
      lostAfter(order(0), order(1)),
      unreachable,
      results(order(1)),
      results(order(1), order(2), last, order(4)),
    ]);
    const seen = observe(client.orders.follow('o1'));

    await vi.advanceTimersByTimeAsync(20_000);

    expect(seen).toEqual({
      values: [0, 1, 1, 1, 2].map((many) => order(many).orderProgress).concat(last.orderProgress),
      ...{ isEnded: true, error: undefined },
    });
    expect(calls).toHaveLength(4);
    for (const { query, variables } of bodies()) {
      expect(query).toContain('subscription OrderProgress');
      expect(variables).toEqual({ id: 'o1' });
    }
  });

  test('ends with an order that has finished before', async () => {
    const { client, calls } = connectScripted([results(order(1, 'CANCELLED'))]);
    const seen = observe(client.orders.follow('o1'));

    await vi.advanceTimersByTimeAsync(20_000);

    expect(seen).toMatchObject({ values: [{ order: { state: 'CANCELLED' } }], isEnded: true });
    expect(calls).toHaveLength(1);
  });

  test.each([
    ['while it is connected', [openBody().step]],
    ['before the next connection', [unreachable]],
  ])('ends with the reason of an aborted signal %s', async (_title, steps) => {
    const controller = new AbortController();
    const { client, calls } = connectScripted(steps);
    const seen = observe(client.orders.follow('o1', { signal: controller.signal }));

    await vi.advanceTimersByTimeAsync(0);
    controller.abort(reason);
    await vi.advanceTimersByTimeAsync(0);

    expect(seen).toMatchObject({ values: [], isEnded: true });
    expect(seen.error).toBe(reason);
    expect(calls).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });
});
