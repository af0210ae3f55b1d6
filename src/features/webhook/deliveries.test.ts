import { describe, expect, test } from 'vitest';
import { account } from '../../../test/persistence/claims.ts';
import { hourMs, minuteMs, secondMs } from '../../../test/support/simulated-clock.ts';
import { Fault } from '../../kernel/faults.ts';
import { createSwitch } from '../event/test/account.ts';
import { readBacklog } from './progress.ts';
import { createWebhookAccount, secretOf } from './test/account.ts';

type Account = Awaited<ReturnType<typeof createWebhookAccount>>;

/** An account with one webhook and one replica. */
async function start() {
  const here = await createWebhookAccount();
  await here.add('one');
  const { onCall, ...calls } = createSwitch();
  const replica = await here.startReplica({ onCall });
  await here.time.pass(0);
  return { ...here, replica, calls };
}

test('events since the creation are sent in order, each once, within a second', async () => {
  const here = await createWebhookAccount();
  await here.happen();
  await here.add('one');
  const ids = [await here.happen(), await here.happen()];
  await here.startReplica();
  await here.time.pass(secondMs);
  ids.push(await here.happen());
  const at = here.time.clock.now();
  await here.time.pass(10 * secondMs);

  expect(here.idsOf('one')).toEqual(ids);
  const last = here.received.at(-1);
  expect((last?.at.getTime() ?? 0) - at.getTime()).toBeLessThanOrEqual(secondMs);
  expect((await here.webhook('one'))?.progress).toMatchObject({ position: 4, failures: 0 });
});

test('an event has the facts of the graph, and the members of Standard Webhooks', async () => {
  const here = await start();
  const id = await here.happen({ purchaseId: 'purchase-1', source: 'GATEWAY', caller: 'shop' });
  await here.time.pass(secondMs);

  const [{ request }] = here.received as [(typeof here.received)[number]];
  expect(request.headers).toMatchObject({
    'content-type': 'application/json',
    'user-agent': 'test',
    'webhook-id': id,
  });
  expect(JSON.parse(request.body)).toEqual({
    type: 'STATE_CHANGED',
    timestamp: here.time.clock
      .now()
      .toISOString()
      .replace(/:\d\d\.\d+Z/, ':00.000Z'),
    data: {
      id,
      cursor: Buffer.from('["1"]').toString('base64url'),
      ...{ subject: 'name-001.com', domainName: 'name-001.com' },
      purchaseId: Buffer.from('Purchase:purchase-1').toString('base64url'),
      ...{ source: 'GATEWAY', before: { text: 'ACTIVE', state: 'ACTIVE' } },
      after: { text: 'EXPIRED', state: 'EXPIRED' },
    },
  });
});

test('a receiver that fails nine times gets the tenth delivery, and then the events that wait', {
  tags: ['W2'],
}, async () => {
  const here = await start();
  let left = 9;
  here.onRequest(() => {
    left -= 1;
    return left >= 0 ? { status: 500 } : { status: 204 };
  });
  const [first, second] = [await here.happen(), await here.happen()];
  await here.time.pass(45 * minuteMs);

  expect(here.idsOf('one')).toEqual([...Array(10).fill(first), second]);
  const times = here.received.slice(0, 10).map(({ at }) => at.getTime() / secondMs);
  const waits = times.slice(1).map((at, index) => Math.round(at - (times[index] ?? 0)));
  expect(waits).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 1_280]);
  const attempts = await here.attempts('one');
  expect(attempts.map(({ number }) => number)).toEqual([1, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
  expect(attempts.at(-1)).toMatchObject({
    ...{ kind: 'DELIVERY', eventId: first, eventType: 'STATE_CHANGED', status: 500 },
    failure: 'The endpoint responded 500.',
    nextAt: here.received[1]?.at,
  });
  expect(attempts[0]).toMatchObject({ eventId: second, status: 204, failure: null, nextAt: null });
});

test('each request has the time of its attempt, and the same id and body', async () => {
  const here = await start();
  here.onRequest(() => ({ status: here.received.length === 1 ? 500 : 200 }));
  await here.happen();
  await here.time.pass(minuteMs);

  const [first, second] = here.received.map(({ request }) => request);
  expect(second?.body).toBe(first?.body);
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
  expect(
    Number(second?.headers['webhook-timestamp']) - Number(first?.headers['webhook-timestamp']),
  ).toBe(5);
});

test('an attempt has its duration', async () => {
  const here = await start();
  here.onRequest(async () => {
    await here.time.clock.wait(1_234);
    return { status: 200 };
  });
  await here.happen();
  await here.time.pass(5 * secondMs);

  expect(await here.attempts('one')).toMatchObject([{ durationMs: 1_234 }]);
});

test('the backlog has the webhooks by state, and the oldest event that an active one waits for', async () => {
  const here = await start();
  await here.add('two', { types: ['EXPIRING'] });
  await here.add('gone');
  const backlog = () => readBacklog({ store: here.store, events: here.journal.events }, account);
  expect(await backlog()).toEqual({ active: 3, suspended: 0, oldestAt: null });

  here.onRequest(({ url }) => ({ status: url.includes('gone') ? 410 : 500 }));
  const oldestAt = here.time.clock.now();
  await here.happen();
  await here.time.pass(minuteMs);
  await here.happen({ type: 'EXPIRING' });
  await here.time.pass(2 * secondMs);

  expect(await backlog()).toEqual({ active: 2, suspended: 1, oldestAt });
});

test('a Retry-After of 429 and 503 is respected, and one of another status is not', async () => {
  const here = await start();
  const responses = [
    { status: 429, retryAfter: '60' },
    { status: 503, retryAfter: '90' },
    { status: 500, retryAfter: '900' },
    { status: 429, retryAfter: '99999' },
    { status: 200 },
  ];
  here.onRequest(() => responses.shift() ?? { status: 200 });
  await here.happen();
  await here.time.pass(65 * minuteMs);

  const times = here.received.map(({ at }) => at.getTime() / secondMs);
  expect(times.slice(1).map((at, index) => Math.round(at - (times[index] ?? 0)))).toEqual([
    60, 90, 20, 3_600,
  ]);
});

test.each([
  [199, 'The endpoint responded 199.'],
  [200, null],
  [299, null],
  [300, 'The endpoint responded with a redirect (300), which is not followed.'],
  [399, 'The endpoint responded with a redirect (399), which is not followed.'],
  [400, 'The endpoint responded 400.'],
])('status %i has the failure %s', async (status, failure) => {
  const here = await start();
  here.onRequest(() => ({ status }));
  await here.happen();
  await here.time.pass(secondMs);

  expect(await here.attempts('one')).toMatchObject([{ status, failure }]);
});

describe('an endpoint that fails for 24 hours', () => {
  test('is suspended, which is an event of its own, and a log line', { tags: ['W4'] }, async () => {
    const here = await start();
    here.onRequest(({ url }) =>
      url.includes('one') ? { failure: 'The connection failed.' } : { status: 200 },
    );
    await here.happen();
    await here.time.pass(minuteMs);
    // The attempt that is due is late, as in a process that was suspended.
    here.time.advance(23 * hourMs - 2 * minuteMs);
    await here.time.pass(minuteMs);
    expect((await here.webhook('one'))?.progress.suspension).toBeNull();
    await here.add('two');
    await here.time.pass(hourMs + 2 * minuteMs);

    const reason = 'All attempts of 24 hours failed. The last one: The connection failed.';
    const suspended = await here.webhook('one');
    expect(suspended?.progress).toMatchObject({ position: 0, suspension: { reason } });
    expect(here.log.filter(([what]) => what === 'suspended')).toEqual([
      ['suspended', 'one', reason],
    ]);
    const events = await here.journal.events.list(account, { limit: 10 });
    expect(events.slice(1)).toMatchObject([
      {
        ...{ type: 'WEBHOOK_SUSPENDED', source: 'GATEWAY', domain: null, after: reason },
        subject: Buffer.from('Webhook:one').toString('base64url'),
        at: suspended?.progress.suspension?.at,
      },
    ]);
    expect(here.idsOf('two')).toEqual([events[1]?.id]);
    await here.store.remove(account, 'two');
    const sent = here.received.length;
    here.time.advance(24 * hourMs - minuteMs);
    await here.time.pass(minuteMs);
    expect(here.received).toHaveLength(sent);
  });

  test('receives the events since then after it was resumed', { tags: ['W4'] }, async () => {
    const here = await start();
    here.onRequest(() => ({ status: 410 }));
    const first = await here.happen();
    await here.time.pass(2 * secondMs);
    const second = await here.happen();
    await here.time.pass(minuteMs);
    expect(here.idsOf('one')).toEqual([first]);

    here.onRequest(() => ({ status: 200 }));
    await here.store.change(account, 'one', { resume: true });
    await here.time.pass(2 * minuteMs);

    const events = await here.journal.events.list(account, { limit: 10 });
    expect(events).toHaveLength(3);
    expect(here.idsOf('one')).toEqual([first, ...events.map(({ id }) => id)]);
    expect(events.map(({ id }) => id)).toContain(second);
  });
});

test.each([
  ['the reseller', null],
  ['a customer', 'ada-ltd'],
])('the suspension of a webhook of %s is an event for who manages it', async (_who, owner) => {
  const here = await createWebhookAccount();
  await here.add('one', { owner, customer: 'ada-ltd' });
  await here.startReplica();
  here.onRequest(() => ({ status: 410 }));
  await here.happen({ customer: 'ada-ltd' });
  await here.time.pass(minuteMs);

  const events = await here.journal.events.list(account, { limit: 10 });
  expect(events.map(({ type, customer }) => [type, customer])).toEqual([
    ['STATE_CHANGED', 'ada-ltd'],
    ['WEBHOOK_SUSPENDED', owner],
  ]);
});

test('the event of a suspension is stored once, also when the process ends with the suspension', {
  tags: ['W4'],
}, async () => {
  const here = await createWebhookAccount();
  await here.add('one');
  let isFirst = true;
  const never = new Promise<never>(() => undefined);
  await here.startReplica({
    async onCall(method, execute) {
      const done = await execute();
      if (method !== 'save' || !isFirst) return done;
      isFirst = false;
      return never;
    },
  });
  here.onRequest(() => ({ status: 410 }));
  await here.happen();
  await here.time.pass(minuteMs);
  await here.startReplica();
  await here.time.pass(5 * minuteMs);

  const events = await here.journal.events.list(account, { limit: 10 });
  expect(events.map(({ type }) => type)).toEqual(['STATE_CHANGED', 'WEBHOOK_SUSPENDED']);
});

test('events that were deleted before they were sent are a gap that the webhook shows', {
  tags: ['W4'],
}, async () => {
  const here = await start();
  const { events } = here.journal;
  await events.lease(account, {
    ...{ owner: 'watcher', now: new Date(0), until: new Date(1), latest: new Date(2) },
  });
  await events.setBaseline(account, 'watcher', new Date(0));
  here.onRequest(() => ({ status: 500 }));
  await here.happen();
  await here.happen();
  await here.time.pass(2 * secondMs);
  await here.time.pass(minuteMs);
  const deletedBefore = here.time.clock.now();
  const third = await here.happen();
  await events.deleteBefore(account, deletedBefore);
  here.onRequest(() => ({ status: 200 }));
  here.received.length = 0;
  await here.time.pass(10 * minuteMs);

  expect(here.idsOf('one')).toEqual([third]);
  expect((await here.webhook('one'))?.progress).toMatchObject({ position: 3, missedUntil: 2 });
  expect(here.log).toContainEqual(['missed', 'one', 2]);
});

test('a webhook that was resumed after a gap receives every event that is left', async () => {
  const here = await start();
  const { events } = here.journal;
  await events.lease(account, {
    ...{ owner: 'watcher', now: new Date(0), until: new Date(1), latest: new Date(2) },
  });
  await events.setBaseline(account, 'watcher', new Date(0));
  here.onRequest(() => ({ status: 410 }));
  await here.happen();
  await here.time.pass(2 * secondMs);
  await here.time.pass(minuteMs);
  const deletedBefore = here.time.clock.now();
  const left = [await here.happen(), await here.happen()];
  await events.deleteBefore(account, deletedBefore);
  here.onRequest(() => ({ status: 200 }));
  here.received.length = 0;
  await here.store.change(account, 'one', { resume: true });
  await here.time.pass(2 * minuteMs);

  expect(here.idsOf('one')).toEqual(left);
  expect((await here.webhook('one'))?.progress.missedUntil).toBe(2);
});

test('a turn that ends while the webhooks are read is not repeated', async () => {
  const here = await createWebhookAccount();
  await here.add('one');
  let gate: Promise<void> | null = null;
  const opening = Promise.withResolvers<void>();
  await here.startReplica({
    async onCall(method, execute) {
      const result = await execute();
      if (method === 'list' && gate) await gate;
      return result;
    },
  });
  const response = Promise.withResolvers<{ status: number }>();
  here.onRequest(() => response.promise);
  const ids = [await here.happen()];
  await here.time.pass(2 * secondMs);
  expect(here.received).toHaveLength(1);
  gate = opening.promise;
  await here.time.pass(2 * secondMs);

  response.resolve({ status: 200 });
  await here.time.pass(0);
  gate = null;
  opening.resolve();
  ids.push(await here.happen());
  await here.time.pass(5 * secondMs);

  expect(here.idsOf('one')).toEqual(ids);
});

test('a filter leaves out the other events, and moves over them', async () => {
  const here = await createWebhookAccount();
  await here.add('one', { types: ['EXPIRING'] });
  await here.startReplica();
  await here.happen();
  const id = await here.happen({ type: 'EXPIRING' });
  for (let count = 0; count < 30; count += 1) await here.happen();
  await here.time.pass(2 * secondMs);

  expect(here.idsOf('one')).toEqual([id]);
  expect((await here.webhook('one'))?.progress.position).toBe(32);
});

/** The names of `count` new webhooks. */
async function addMany({ add }: Account, count: number) {
  const names = Array.from({ length: count }, (_, at) => `hook-${at}`);
  for (const name of names) await add(name);
  return names;
}

test.each([
  ['never responds', Number.POSITIVE_INFINITY],
  ['accepts after 14 seconds', 14 * secondMs],
])(
  'of 201 endpoints one receives at once beside 200 of which each %s',
  { tags: ['W7'] },
  async (_what, waitMs) => {
    const here = await createWebhookAccount();
    const slow = await addMany(here, 200);
    await here.add('fast');
    here.onRequest(async ({ url }) => {
      if (url !== 'https://fast.example/') await here.time.clock.wait(waitMs);
      return { status: 200 };
    });
    await here.startReplica();
    await here.time.pass(0);
    const ids: string[] = [];
    for (let count = 0; count < 10; count += 1) {
      ids.push(await here.happen());
      await here.time.pass(secondMs);
      expect(here.idsOf('fast')).toEqual(ids);
    }

    // An endpoint has one request at a time.
    for (const name of slow) expect(here.idsOf(name)).toEqual(ids.slice(0, 1));
  },
);

test('a change of the secret counts after a few seconds, also when the endpoint is slow and has many events', async () => {
  const here = await start();
  here.onRequest(async () => {
    await here.time.clock.wait(2 * secondMs);
    return { status: 200 };
  });
  for (let count = 0; count < 10; count += 1) await here.happen();
  await here.time.pass(secondMs);
  const before = here.received.length;
  await here.store.rotate(account, 'one', {
    ...{ secret: secretOf('new'), oldUntil: new Date(here.time.clock.now().getTime() + hourMs) },
  });
  await here.time.pass(30 * secondMs);

  const signatures = here.received.map(
    ({ request }) => request.headers['webhook-signature']?.split(' ').length,
  );
  expect(before).toBe(1);
  expect(signatures).toEqual([1, 1, 1, 2, 2, 2, 2, 2, 2, 2]);
});

describe('two replicas', () => {
  test('send each event once, in order, while none ends', { tags: ['W3'] }, async () => {
    const here = await createWebhookAccount();
    const names = await addMany(here, 10);
    here.onRequest(async ({ url }) => {
      await here.time.clock.wait(Number(/\d+/.exec(url)) * secondMs);
      return { status: 200 };
    });
    await here.startReplica();
    await here.time.pass(secondMs / 2);
    await here.startReplica();
    const ids: string[] = [];
    for (let count = 0; count < 20; count += 1) {
      ids.push(await here.happen(), await here.happen());
      await here.time.pass(7.3 * secondMs);
    }
    await here.time.pass(5 * minuteMs);

    for (const name of names) expect(here.idsOf(name), name).toEqual(ids);
    expect(new Set(here.received.map(({ replica }) => replica)).size).toBe(2);
  });

  test('continue at once when one closes, which waits for its request and begins no other', async () => {
    const here = await createWebhookAccount();
    await here.add('one');
    const first = await here.startReplica();
    await here.time.pass(0);
    await here.startReplica();
    await here.time.pass(secondMs);
    const ids = [await here.happen(), await here.happen()];
    const response = Promise.withResolvers<{ status: number }>();
    here.onRequest(() => response.promise);
    await here.time.pass(secondMs);
    const closing = first.close();
    response.resolve({ status: 200 });
    await closing;
    ids.push(await here.happen());
    await here.time.pass(6 * secondMs);

    expect(here.idsOf('one')).toEqual(ids);
    expect(here.received.map(({ replica }) => replica)).toEqual([1, 2, 2]);
  });

  test('continue after the lease when one was killed between the response and the commit, with the same id', {
    tags: ['W3'],
  }, async () => {
    const here = await createWebhookAccount();
    await here.add('one');
    const never = new Promise<never>(() => undefined);
    let isDead = false;
    await here.startReplica({
      async onCall(method, execute) {
        isDead ||= method === 'save';
        return isDead ? never : execute();
      },
    });
    const id = await here.happen();
    await here.time.pass(2 * secondMs);
    expect(here.idsOf('one')).toEqual([id]);
    await here.add('other');
    await here.startReplica();
    const next = await here.happen();
    await here.time.pass(secondMs);
    // The killed process has the lease of one webhook.
    expect(here.idsOf('other')).toEqual([next]);
    await here.time.pass(29 * secondMs);

    expect(here.idsOf('one')).toEqual([id, id, next]);
    expect(here.received.map(({ replica }) => replica)).toEqual([1, 2, 2, 2]);
  });
});

test('a request that does not end within five seconds of a close is aborted, and its event is sent again', {
  tags: ['W3'],
}, async () => {
  const here = await start();
  let isAborted = false;
  here.onRequest(
    ({ request: { stop } }) =>
      new Promise((_resolve, reject) => {
        stop.addEventListener('abort', () => {
          isAborted = true;
          reject(stop.reason);
        });
      }),
  );
  const id = await here.happen();
  await here.time.pass(secondMs);
  const closing = here.replica.close();
  await here.time.pass(5 * secondMs - 1);
  expect(isAborted).toBe(false);
  await here.time.pass(1);
  await closing;
  expect(isAborted).toBe(true);
  here.onRequest(() => ({ status: 200 }));
  await here.startReplica();
  await here.time.pass(secondMs);

  expect(here.idsOf('one')).toEqual([id, id]);
  expect(here.log.filter(([what]) => what === 'error')).toEqual([]);
});

test('a new URL ends the wait, and the result of a request to the old one does not count', async () => {
  const here = await start();
  const response = Promise.withResolvers<{ status: number }>();
  here.onRequest(({ url }) =>
    url === 'https://one.example/' ? response.promise : { status: 200 },
  );
  const id = await here.happen();
  await here.time.pass(secondMs);
  await here.store.change(account, 'one', { url: 'https://new.example/' });
  response.resolve({ status: 410 });
  await here.time.pass(secondMs);

  expect(here.received.map((one) => [one.url, one.id])).toEqual([
    ['https://one.example/', id],
    ['https://new.example/', id],
  ]);
  expect((await here.webhook('one'))?.progress.suspension).toBeNull();
});

test('a webhook that was deleted receives nothing more', async () => {
  const here = await start();
  await here.happen();
  await here.time.pass(secondMs);
  await here.store.remove(account, 'one');
  await here.happen();
  await here.time.pass(10 * secondMs);

  expect(here.received).toHaveLength(1);
  expect(await here.attempts('one')).toEqual([]);
});

test('a journal that fails loses no event and reports no bug', async () => {
  const here = await start();
  here.calls.fail('save', 'list');
  const first = await here.happen();
  await here.time.pass(10 * secondMs);
  here.calls.fail('save');
  await here.time.pass(10 * secondMs);
  here.calls.fail();
  const second = await here.happen();
  await here.time.pass(2 * minuteMs);

  const ids = here.idsOf('one');
  expect([...new Set(ids)]).toEqual([first, second]);
  // Once per second at most: a failure causes no loop.
  expect(ids.length).toBeLessThan(15);
  expect(here.log.filter(([what]) => what === 'error')).toEqual([]);
});

test('an error that is no failure of the journal is reported', async () => {
  const here = await createWebhookAccount();
  await here.add('one');
  const bug = new Error('bug');
  await here.startReplica({
    onCall: (method, execute) => (method === 'post' ? Promise.reject(bug) : execute()),
  });
  await here.happen();
  await here.time.pass(secondMs);

  expect(here.log).toContainEqual(['error', bug]);
  expect(bug).not.toBeInstanceOf(Fault);
});

describe('a webhook of the settings', () => {
  const crm = {
    ...{ id: 'crm', url: 'https://crm.example/', description: 'CRM', types: [] },
    secrets: [secretOf('new'), secretOf('old')],
  };

  test('receives the events since it was added, signed with each of its secrets', async () => {
    const here = await createWebhookAccount();
    await here.happen();
    const replica = await here.startReplica({ configured: [crm] });
    await here.time.pass(secondMs);
    const ids = [await here.happen()];
    await here.time.pass(2 * secondMs);
    await replica.close();
    ids.push(await here.happen());
    await here.startReplica({ configured: [crm] });
    await here.time.pass(2 * secondMs);

    expect(here.idsOf('crm')).toEqual(ids);
    const signature = here.received[0]?.request.headers['webhook-signature'] ?? '';
    expect(signature.split(' ')).toHaveLength(2);
    expect(await here.webhook('crm')).toMatchObject({ source: 'SETTINGS', secret: null });
  });

  test('receives events after a failure of the journal at the start', async () => {
    const here = await createWebhookAccount();
    const { onCall, fail } = createSwitch();
    fail('configure');
    await here.startReplica({ onCall, configured: [crm] });
    await here.time.pass(2 * secondMs);
    fail();
    await here.time.pass(minuteMs);
    const id = await here.happen();
    await here.time.pass(2 * minuteMs);

    expect(here.idsOf('crm')).toEqual([id]);
  });

  test('is not sent to by a process that does not have its secret', async () => {
    const here = await createWebhookAccount();
    const replica = await here.startReplica({ configured: [crm] });
    await here.time.pass(secondMs);
    await replica.close();
    await here.startReplica({ configured: [{ ...crm, secrets: [] }] });
    await here.happen();
    await here.time.pass(10 * secondMs);

    expect(here.received).toEqual([]);
  });

  test('is removed when the settings no longer have it', async () => {
    const here = await createWebhookAccount();
    await (await here.startReplica({ configured: [crm] })).close();
    const replica = await here.startReplica({ configured: [crm] });
    await here.time.pass(secondMs);
    await replica.close();
    await here.startReplica();
    await here.time.pass(secondMs);

    expect(await here.webhook('crm')).toBeNull();
  });
});

test('an account without webhooks is looked at once a minute, until the process is woken', async () => {
  const here = await createWebhookAccount();
  const { onCall, calls } = createSwitch();
  const replica = await here.startReplica({ onCall });
  const looks = () => calls.filter((method) => method === 'list').length;
  await here.time.pass(10 * minuteMs);
  expect(looks()).toBe(11);
  expect(calls).not.toContain('lease');

  await here.add('one');
  replica.wake();
  await here.time.pass(0);
  const id = await here.happen();
  await here.time.pass(secondMs);
  expect(here.idsOf('one')).toEqual([id]);
});
