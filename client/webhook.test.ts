import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { ClientError, verifyWebhook } from './index.ts';

const [secret = '', newSecret = '', other = ''] = [1, 2, 3].map(
  (byte) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`,
);
const body = JSON.stringify({ type: 'WEBHOOK_TEST', timestamp: '', data: { id: 'é' } });

/** The headers of a request that the package of Standard Webhooks has signed. */
function signed(secrets: readonly string[], ageSeconds = 0): Record<string, string> {
  const at = new Date(Date.now() - ageSeconds * 1000);
  return {
    'webhook-id': 'm1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': secrets.map((one) => new Webhook(one).sign('m1', at, body)).join(' '),
  };
}

const mapped = <T>(
  headers: Record<string, string>,
  map: (name: string, value: string) => [string, T],
) => Object.fromEntries(Object.entries(headers).map(([name, value]) => map(name, value)));
const capitals = (headers: Record<string, string>) =>
  mapped(headers, (name, value) => [name.replace(/\b[a-z]/g, (one) => one.toUpperCase()), value]);
const lists = (headers: Record<string, string>) =>
  mapped(headers, (name, value) => [name, value.split(' ')]);

test.each([JSON.parse(body), null, undefined, [body]])(
  'a body that is parsed is refused with a sentence that names it: %j',
  async (parsed) => {
    await expect(verifyWebhook(signed([secret]), parsed, secret)).rejects.toThrow(
      'Pass the raw body of the webhook request',
    );
  },
);

describe('a valid signature', () => {
  test.each<[string, Parameters<typeof verifyWebhook>]>([
    ['headers of node:http', [signed([secret]), body, secret]],
    ['headers of fetch, and bytes', [new Headers(signed([secret])), Buffer.from(body), secret]],
    ['an ArrayBuffer', [signed([secret]), new TextEncoder().encode(body).buffer, secret]],
    ['names of headers with capitals', [capitals(signed([secret])), body, secret]],
    ['headers that are lists', [lists(signed([secret])), body, secret]],
    ['a sender that rotates its secret', [signed([newSecret, secret]), body, secret]],
    ['a receiver that rotates its secret', [signed([secret]), body, [newSecret, secret]]],
    ['an age below five minutes', [signed([secret], 290), body, secret]],
    ['a clock that is ahead', [signed([secret], -290), body, secret]],
    [
      'signatures of other versions',
      [
        {
          ...signed([]),
          'webhook-signature': `v1a,x v1,= ${signed([secret])['webhook-signature']}`,
        },
        body,
        secret,
      ],
    ],
  ])('is accepted with %s', async (_title, request) => {
    expect(await verifyWebhook(...request)).toEqual(JSON.parse(body));
  });
});

const noMatch = 'No signature of the webhook request is that of a secret.';
const notNow = 'The header webhook-timestamp is not within five minutes of the clock.';
const without = (name: string) => ({ ...signed([secret]), [name]: '' });

test.each<[string, Parameters<typeof verifyWebhook>, string]>([
  ['another secret', [signed([other]), body, [secret, newSecret]], noMatch],
  ['another body', [signed([secret]), `${body} `, secret], noMatch],
  ['another id', [{ ...signed([secret]), 'webhook-id': 'm2' }, body, secret], noMatch],
  [
    'another version',
    [{ ...signed([secret]), 'webhook-signature': 'v2,AAAA' }, body, secret],
    noMatch,
  ],
  ['an old time', [signed([secret], 310), body, secret], notNow],
  ['a time that is ahead', [signed([secret], -310), body, secret], notNow],
  ['no number', [{ ...signed([secret]), 'webhook-timestamp': 'now' }, body, secret], notNow],
  ['no id', [without('webhook-id'), body, secret], 'The webhook request has no header webhook-id.'],
  [
    'no signature',
    [without('webhook-signature'), body, secret],
    'The webhook request has no header webhook-signature.',
  ],
])('%s is refused', async (_title, request, message) => {
  const refused = await verifyWebhook(...request).catch((error: unknown) => error);

  expect(refused).toBeInstanceOf(ClientError);
  expect(refused).toMatchObject({ code: 'INVALID_SIGNATURE', message });
});

test.each(['', 'whsec_', 'whsec_?', secret.slice(6)])('%s is no secret', async (wrong) => {
  await expect(verifyWebhook(signed([secret]), body, wrong)).rejects.toThrow(TypeError);
});
