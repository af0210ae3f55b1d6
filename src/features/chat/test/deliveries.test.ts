import { describe, expect, test } from 'vitest';
import { minuteMs, secondMs } from '../../../../test/support/simulated-clock.ts';
import { deliveries, startWithReceiver } from '../../../../test/support/with-receiver.ts';
import { createWebhookAccount } from '../../webhook/test/account.ts';
import { discord, slack, teams, telegram } from '../formats.ts';
import { respond, textOf } from './services.ts';

const formats = [slack, discord, teams, telegram];

/** An account with one chat, whose service responds by its rules unless the test says otherwise. */
async function startChat({ name } = discord, chatId: string | null = null) {
  const here = await createWebhookAccount();
  await here.add('chat', {
    format: name,
    chatId,
    secret: null,
    url: 'https://chat.example/bot1:a',
  });
  here.onRequest(({ url, request }) => respond(name, request.body, new URL(url).pathname));
  await here.startReplica({ formats });
  await here.time.pass(0);
  const texts = () =>
    here.received.map(({ request }) => textOf[name]?.(JSON.parse(request.body)).split('\n') ?? []);
  return { ...here, texts };
}

test('an event is sent at once, and those of the next 30 seconds in one message', async () => {
  const here = await startChat();
  await here.happen();
  await here.time.pass(2 * secondMs);
  for (let at = 0; at < 12; at += 1) await here.happen();
  await here.time.pass(20 * secondMs);
  expect(here.texts().map(({ length }) => length)).toEqual([1]);
  await here.time.pass(12 * secondMs);
  expect(here.texts().map(({ length }) => length)).toEqual([1, 12]);
  expect(await here.attempts('chat')).toMatchObject([
    { eventType: 'STATE_CHANGED', failure: null, nextAt: null },
    { failure: null, nextAt: null },
  ]);
  // A message for people has no signature.
  for (const { request } of here.received) {
    expect(Object.keys(request.headers).toSorted()).toEqual(['content-type', 'user-agent']);
  }
});

test('events that do not fit are sent in more messages, each event once', async () => {
  const here = await startChat();
  for (let at = 0; at < 250; at += 1) await here.happen({ after: 'x'.repeat(80) });
  await here.time.pass(5 * minuteMs);

  const lines = here.texts().flat();
  expect([lines.length, new Set(lines).size]).toEqual([250, 250]);
  const times = here.received.map(({ at }) => at.getTime());
  const gaps = times.slice(1).map((time, at) => time - (times[at] ?? 0));
  // Telegram accepts 20 messages of a group in a minute.
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(3 * secondMs);
  expect((await here.webhook('chat'))?.progress.position).toBe(250);
});

test('a chat that refuses messages for an hour receives all of them after it, none twice', async () => {
  const here = await startChat(telegram, '-100');
  const until = here.time.clock.now().getTime() + 60 * minuteMs;
  here.onRequest(({ request, url, at }) =>
    at.getTime() < until
      ? {
          status: 429,
          body: '{"ok":false,"error_code":429,"description":"Too Many Requests","parameters":{"retry_after":600}}',
        }
      : respond('TELEGRAM', request.body, new URL(url).pathname),
  );
  for (let at = 0; at < 5; at += 1) await here.happen();
  await here.time.pass(70 * minuteMs);

  const failures = (await here.attempts('chat')).filter(({ status }) => status === 429);
  // The waits are those that the service requests, or longer.
  expect(failures.length).toBeLessThanOrEqual(7);
  expect(failures[0]?.failure).toBe('Telegram responded 429: "Too Many Requests".');
  expect(here.texts().at(-1)).toHaveLength(5);
  expect((await here.webhook('chat'))?.progress).toMatchObject({ failures: 0, position: 5 });
});

test('a chat that is gone suspends its webhook at once, with the reason of the service', async () => {
  const here = await startChat();
  here.onRequest(() => ({ status: 404, body: '{"message":"Unknown Webhook","code":10015}' }));
  await here.happen();
  await here.time.pass(2 * secondMs);

  expect(here.log).toContainEqual([
    ...['suspended', 'chat', 'Discord responded 404: "Unknown Webhook".'],
  ]);
});

test('without the feature a webhook of its format waits', async () => {
  const here = await createWebhookAccount();
  await here.add('chat', { format: 'SLACK', secret: null });
  await here.startReplica();
  await here.happen();
  await here.time.pass(minuteMs);

  expect(here.received).toEqual([]);
  expect((await here.webhook('chat'))?.progress).toMatchObject({ position: 0, failures: 0 });
});

describe('over HTTP', () => {
  test.each(formats)(
    '$name: created, tested, an event, and no address in any output',
    async ({ name, needsChatId }) => {
      const here = await startWithReceiver();
      here.receiver.onRequest(({ body, path }) => respond(name, body, path));
      const url = new URL('/bot1:very-secret', here.receiver.url).href;
      const input = { url, format: name, ...(needsChatId && { chatId: ' -100123 ' }) };
      const created = await here.mutate(
        'createWebhook',
        input,
        'secret webhook { id url format chatId }',
      );
      const chatId = needsChatId ? '-100123' : null;
      expect(created).toEqual({
        secret: null,
        webhook: {
          id: expect.any(String),
          url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/…$/),
          ...{ format: name, chatId },
        },
        errors: [],
      });
      const { id } = created.webhook;
      const tested = await here.mutate('testWebhook', { id }, 'delivery { status failure }');
      expect(tested).toMatchObject({ delivery: { failure: null }, errors: [] });
      await here.happen();
      const texts = here.receiver.received.map(({ body }) => textOf[name]?.(JSON.parse(body)));
      expect(texts).toEqual([
        'Test message: events arrive here.',
        expect.stringMatching(
          /^Privacy changed: lowercase-demo\.org \((?:true → false|false → true)\)$/,
        ),
      ]);
      const shown = JSON.stringify([
        await here.read(id, `url failures nextAttemptAt suspendedReason ${deliveries}`),
        await here.mutate('createWebhook', input, 'webhook { url }'),
        here.texts,
      ]);
      expect(shown).toContain('A webhook with this URL exists');
      expect(shown).not.toContain('very-secret');
    },
  );

  test.each<[object, string, string]>([
    [{ format: 'TELEGRAM' }, 'chatId', 'The format TELEGRAM needs a chat in "chatId"'],
    [{ format: 'TELEGRAM', chatId: 'a b' }, 'chatId', 'needs a chat in "chatId"'],
    [{ format: 'SLACK', chatId: '1' }, 'chatId', 'The format SLACK has no "chatId"'],
    [{ chatId: '1' }, 'chatId', 'The format STANDARD has no "chatId"'],
  ])('%o is refused', async (input, member, message) => {
    const here = await startWithReceiver();
    const { webhook, errors } = await here.mutate(
      'createWebhook',
      { url: here.receiver.url, ...input },
      'webhook { id }',
    );
    expect(webhook).toBeNull();
    expect(errors).toMatchObject([{ path: ['input', member] }]);
    expect(errors[0].message).toContain(message);
  });

  test('a webhook of a chat has no secret to rotate', async () => {
    const here = await startWithReceiver();
    const { id } = await here.create({ format: 'SLACK' });
    const { errors } = await here.mutate('rotateWebhookSecret', { id }, 'secret');
    expect(errors).toMatchObject([{ code: 'INVALID_INPUT' }]);
    expect(errors[0].message).toContain('has no secret');
  });
});
