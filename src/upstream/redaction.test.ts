import { describe, expect, test } from 'vitest';
import {
  answering,
  faultOf,
  password,
  reply,
  token,
  username,
} from '../../test/support/upstream/clients.ts';
import { redactMessages, redactValues } from './wire/upstream-text.ts';

const refusalWith = (text: string) => ({
  result: 'ERROR',
  error: { Code: 'API_2306_ERROR', Message: text, Details: `Details: ${text}` },
});

describe('a refusal that quotes its request contains', { tags: ['G20'] }, () => {
  const authCode = 'Auth "c0de" 5521';
  const request = { domain: 'example.com', authCode, period: 1 };
  const spellings = (text: string) => [text, encodeURIComponent(text)];

  test.each([
    ['no user name', username],
    ['no password', password],
    ['no auth code of a transfer', authCode],
  ])('%s, however often and in whatever spelling', async (_what, secret) => {
    const message = [...spellings(secret), ...spellings(secret)].join(' and ');
    const { domain } = answering(reply(JSON.stringify(refusalWith(message)), 400));

    const { upstream } = await faultOf(domain('transferdomain', {}, request));

    const redacted = Array(4).fill('[redacted]').join(' and ');
    expect(upstream?.message).toBe(`${redacted} (Details: ${redacted})`);
  });

  test('no password in the JSON of a quoted request', async () => {
    const quoted = JSON.stringify({ username, password, ...request });
    const { domain } = answering(reply(JSON.stringify(refusalWith(quoted)), 400));

    const { upstream } = await faultOf(domain('transferdomain', {}, request));

    expect(upstream?.message).not.toMatch(/c0de|wörd|acme/);
  });

  test('a domain name with the user name in it, unchanged', async () => {
    const message = `host ns5.${username}.com has no address`;
    const { domain } = answering(reply(JSON.stringify(refusalWith(message)), 400));

    const { upstream } = await faultOf(domain('transferdomain', {}, request));

    expect(upstream?.message).toBe(`${message} (Details: ${message})`);
  });

  test('no token of the Account API', async () => {
    const body = JSON.stringify({ statusCode: 400, message: `${token} ${token}` });
    const { account } = answering(reply(body, 400));

    const { upstream } = await faultOf(account('deleteLogs', {}));

    expect(upstream?.message).toBe('[redacted] [redacted]');
  });
});

test('of two secrets the longer one is replaced first, so that no part of it remains', () => {
  const redact = redactValues(['demo', 'demo-password', '']);

  expect(redact('demo-password of demo')).toBe('[redacted] of [redacted]');
});

test('secrets are replaced in each member that may have a message, and in no other', () => {
  const text = 'a secret';
  const messages = {
    ...{ Code: text, Message: text, Details: text, Reason: text, error: text },
    errors: [text, { message: text }],
  };
  const redacted = JSON.parse(JSON.stringify(messages).replaceAll(text, '[redacted]'));
  const body = { DomainName: text, messages };

  expect(redactMessages(body, redactValues([text]))).toEqual({
    DomainName: text,
    messages: redacted,
  });
});
