import { expect, test } from 'vitest';
import { account } from '../../../test/persistence/claims.ts';
import { dayMs } from '../../kernel/instant.ts';
import { sendNow } from './attempts.ts';
import { testMessage } from './message.ts';
import { createWebhookAccount } from './test/account.ts';

test('a test of a webhook deletes its attempts of more than 30 days', async () => {
  const { time, store, add, webhook, attempts } = await createWebhookAccount();
  await add('one');
  const one = await webhook('one');
  if (!one) throw new Error('There is no webhook.');
  const attempt = { webhookId: 'one', eventId: 'event', eventType: 'WEBHOOK_TEST', durationMs: 1 };
  const outcome = { status: 200, failure: null, retryAfterMs: null, isGone: false };
  let sent = 0;
  const sender = {
    canSend: () => true,
    send: async () => {
      sent += 1;
      return { outcome, attempt: { ...attempt, ...outcome, id: `${sent}`, at: time.clock.now() } };
    },
  };
  const deps = {
    ...{ store, account, clock: time.clock },
    webhooks: { sender, stop: new AbortController().signal },
  };
  const send = () => sendNow(deps, one, testMessage('event', time.clock.now(), null, one), 'TEST');

  await send();
  await time.pass(30 * dayMs);
  await send();
  const before = (await attempts('one')).map(({ id }) => id);
  await time.pass(1);
  await send();

  expect(before).toEqual(['2', '1']);
  expect((await attempts('one')).map(({ id }) => id)).toEqual(['3', '2']);
});
