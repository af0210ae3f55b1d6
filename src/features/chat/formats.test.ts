import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ShownEvent } from '../webhook/format.ts';
import { discord, slack, teams, telegram } from './formats.ts';
import { respond, textOf } from './test/services.ts';
import { lineOf } from './text.ts';

const formats = [slack, discord, teams, telegram];
const path = '/bot1:a/sendMessage';
const text = fc.string({ unit: 'binary', maxLength: 500 });
const nasty = fc.constantFrom(
  '<!channel>',
  '@everyone',
  '[a](https://b.example)',
  '&amp;',
  '**',
  '\n# x',
);
const event: fc.Arbitrary<ShownEvent> = fc.record({
  type: fc.constantFrom('EXPIRING', 'PURCHASE_SETTLED', 'REFUND_DUE', 'WEBHOOK_TEST'),
  subject: fc.oneof(text, nasty),
  customer: fc.option(fc.oneof(text, nasty)),
  before: fc.option(text),
  after: fc.option(fc.oneof(text, nasty)),
});

const event1 = (changes: Partial<ShownEvent>): ShownEvent => ({
  ...{ type: 'NAME_SERVERS_CHANGED', subject: 'acme.com', customer: null },
  ...{ before: null, after: null, ...changes },
});

test.each<[Partial<ShownEvent>, string]>([
  [
    { before: 'ns1.a.example ns2.a.example', after: 'ns1.b.example' },
    'Name servers changed: acme.com (ns1.a.example ns2.a.example → ns1.b.example)',
  ],
  [
    { type: 'EXPIRING', after: '30', customer: 'acme' },
    'Expiring: acme.com (30 days left), customer acme',
  ],
  [{ type: 'PURCHASE_SETTLED', after: 'SUCCEEDED' }, 'Purchase settled: acme.com (SUCCEEDED)'],
  [{ type: 'TRANSFER_LOCKED' }, 'Transfer locked: acme.com'],
  [{ subject: 'a\n\u202eb', type: 'DOMAIN_ADDED' }, 'Domain added: a b'],
  [{ type: 'WEBHOOK_TEST' }, 'Test message: events arrive here.'],
])('%o is one line for people', (changes, line) => {
  expect(lineOf(event1(changes))).toBe(line);
});

describe.each(formats)('the format $name', (format) => {
  test('has messages that the service accepts, with the lines of as many events as fit', () => {
    fc.assert(
      fc.property(fc.array(event, { minLength: 1, maxLength: 100 }), (events) => {
        let sent = 0;
        while (sent < events.length) {
          const { body, count } = format.messageOf(events.slice(sent), '-100');
          expect(count).toBeGreaterThan(0);
          const response = { ...respond(format.name, body, path), retryAfter: undefined };
          expect(format.outcomeOf(response)).toMatchObject({ failure: null });
          const lines = events.slice(sent, sent + count).map(lineOf);
          expect(textOf[format.name]?.(JSON.parse(body))).toBe(lines.join('\n'));
          sent += count;
        }
      }),
      { numRuns: 100 },
    );
  });

  test('collects many short events in one message', () => {
    const events = Array.from({ length: 20 }, (_, at) => event1({ subject: `name-${at}.com` }));
    expect(format.messageOf(events, '-100').count).toBe(20);
  });
});

const gone = { isGone: true };
test.each([
  [slack, 404, 'no_service', { failure: 'Slack responded 404: "no_service".', ...gone }],
  [slack, 400, 'invalid_payload', { failure: 'Slack responded 400: "invalid_payload".' }],
  [slack, 410, 'channel_is_archived', gone],
  [slack, 429, '', { failure: 'Slack responded 429.', retryAfterMs: null, isGone: false }],
  [
    ...[
      discord,
      429,
      '{"message":"You are being rate limited.","retry_after":64.57,"global":false}',
    ],
    { failure: 'Discord responded 429: "You are being rate limited.".', retryAfterMs: 64_570 },
  ],
  [
    ...[discord, 404, '{"message": "Unknown Webhook", "code": 10015}'],
    { failure: 'Discord responded 404: "Unknown Webhook".', ...gone },
  ],
  [teams, 202, '', { failure: null }],
  [teams, 200, '1', { failure: null }],
  [
    ...[teams, 200, 'Webhook message delivery failed with error: HTTP error 429'],
    { failure: expect.stringContaining('Teams responded 200: "Webhook message'), isGone: false },
  ],
  [
    ...[telegram, 429, '{"ok":false,"error_code":429,"parameters":{"retry_after":7}}'],
    { retryAfterMs: 7_000, isGone: false },
  ],
  [
    ...[
      telegram,
      403,
      '{"ok":false,"description":"Forbidden: bot was kicked from the group chat"}',
    ],
    { failure: expect.stringContaining('bot was kicked'), ...gone },
  ],
  [telegram, 200, '<html>', { failure: 'Telegram responded 200: "<html>".' }],
  [telegram, 502, '\u0000'.repeat(4_096), { failure: expect.stringMatching(/^.{1,1000}$/) }],
] as const)('%o %i %j', (format, status, body, outcome) => {
  expect(format.outcomeOf({ status, body, retryAfter: undefined })).toMatchObject(outcome);
});

test.each([
  ['https://api.telegram.org/bot1:a', 'https://api.telegram.org/bot1:a/sendMessage'],
  ['https://api.telegram.org/bot1:a/', 'https://api.telegram.org/bot1:a/sendMessage'],
  ['https://api.telegram.org/bot1:a/sendMessage', 'https://api.telegram.org/bot1:a/sendMessage'],
])('messages for the bot %s go to %s', (url, target) => {
  expect(telegram.targetOf(url)).toBe(target);
});
