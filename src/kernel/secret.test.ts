import { format, inspect } from 'node:util';
import pino from 'pino';
import { expect, test } from 'vitest';
import { Secret } from './secret.ts';

const text = 'hunter2-and-more';
const secret = new Secret(text);
const holder = { user: 'reseller', secret, list: [secret], map: new Map([['a', secret]]) };

test('reveal returns the text', () => {
  expect(secret.reveal()).toBe(text);
});

test.each<[string, () => unknown]>([
  ['String', () => String(secret)],
  ['a template', () => `${secret}`],
  ['a join', () => ['password', secret].join()],
  ['toString', () => secret.toString()],
  ['JSON', () => JSON.stringify(holder)],
  ['inspect', () => inspect(holder, { depth: 9, showHidden: true, getters: true })],
  [
    'inspect without custom inspection',
    () => inspect(secret, { customInspect: false, showHidden: true }),
  ],
  ['format', () => format('%s %o %O %j', secret, secret, holder, secret)],
  ['Object.entries', () => JSON.stringify(Object.entries(secret))],
  ['Object.getOwnPropertyNames', () => Object.getOwnPropertyNames(secret).join()],
  ['a spread', () => inspect({ ...secret })],
  ['Object.assign', () => JSON.stringify(Object.assign({}, secret))],
  ['structuredClone', () => inspect(structuredClone(secret), { showHidden: true })],
  ['a log line', () => logLine()],
  ['the message of an error', () => new Error(`It failed with ${secret}.`).stack],
])('%s does not reveal it', (_way, print) => {
  expect(String(print())).not.toContain('hunter2');
});

test('the text is replaced by [redacted]', () => {
  expect([String(secret), JSON.stringify({ secret }), inspect({ secret })]).toEqual([
    '[redacted]',
    '{"secret":"[redacted]"}',
    '{ secret: [redacted] }',
  ]);
});

function logLine(): string {
  let written = '';
  pino({}, { write: (line) => (written += line) }).info(holder, 'secret: %s', secret);
  return written;
}
