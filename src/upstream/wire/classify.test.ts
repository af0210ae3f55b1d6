import { describe, expect, test } from 'vitest';
import {
  answering,
  faultOf,
  password,
  reply,
  token,
  username,
} from '../../../test/support/upstream/clients.ts';
import { replyText } from '../../../test/support/upstream/fixtures.ts';

const page =
  '<html><head><style>body { color: red }</style></head><body>502 Bad Gateway</body></html>';
const refusal = JSON.stringify({
  result: 'ERROR',
  error: { Code: 'API_2302_ERROR', Message: 'Failed', Details: 'Exists' },
});
const registered = replyText('registerdomain');

describe('a Domain API write has executed: NO only after a listed refusal', {
  tags: ['G18'],
}, () => {
  test.each<[what: string, status: number, body: string, code: string, executed: string]>([
    ['a listed refusal', 400, refusal, 'ALREADY_EXISTS', 'NO'],
    ['a listed refusal under 200', 200, refusal, 'ALREADY_EXISTS', 'NO'],
    ['a listed refusal under 429', 429, refusal, 'ALREADY_EXISTS', 'NO'],
    [
      'a listed refusal under 500, where the service crashed',
      500,
      refusal,
      'ALREADY_EXISTS',
      'UNKNOWN',
    ],
    ['400 without a body', 400, '', 'UPSTREAM_PROTOCOL', 'UNKNOWN'],
    ['400 with a page', 400, page, 'UPSTREAM_PROTOCOL', 'UNKNOWN'],
    ['400 with a success body', 400, registered, 'UPSTREAM_PROTOCOL', 'UNKNOWN'],
    ['a listed refusal under 499', 499, refusal, 'ALREADY_EXISTS', 'NO'],
    ['401', 401, '', 'UPSTREAM_UNAVAILABLE', 'UNKNOWN'],
    ['403 with the page of a firewall', 403, page, 'UPSTREAM_UNAVAILABLE', 'UNKNOWN'],
    [
      'a refused login in words',
      401,
      '{"result":"ERROR","error":{"Code":"API_300_ERROR"}}',
      'UPSTREAM_AUTH',
      'NO',
    ],
    ['404', 404, page, 'UPSTREAM_PROTOCOL', 'UNKNOWN'],
    ['405', 405, '', 'UPSTREAM_PROTOCOL', 'UNKNOWN'],
    ['408', 408, '', 'UPSTREAM_TIMEOUT', 'UNKNOWN'],
    ['429', 429, '', 'RATE_LIMITED', 'UNKNOWN'],
    ['499', 499, '', 'UPSTREAM_PROTOCOL', 'UNKNOWN'],
    ['500', 500, '', 'UPSTREAM_UNAVAILABLE', 'UNKNOWN'],
    ['502', 502, page, 'UPSTREAM_UNAVAILABLE', 'UNKNOWN'],
    ['504', 504, '', 'UPSTREAM_TIMEOUT', 'UNKNOWN'],
    ['a redirect', 302, '', 'UPSTREAM_PROTOCOL', 'UNKNOWN'],
    ['a success body under 300', 300, registered, 'UPSTREAM_PROTOCOL', 'UNKNOWN'],
    ['a success body under 199', 199, registered, 'UPSTREAM_PROTOCOL', 'UNKNOWN'],
    ['an empty 200', 200, '', 'UPSTREAM_PROTOCOL', 'UNKNOWN'],
    ['a page under 200', 200, page, 'UPSTREAM_PROTOCOL', 'UNKNOWN'],
    ['a truncated 200', 200, registered.slice(0, -20), 'UPSTREAM_PROTOCOL', 'UNKNOWN'],
    ['a 200 of another shape', 200, '{"result":"MAYBE"}', 'UPSTREAM_PROTOCOL', 'UNKNOWN'],
    ['a 200 that is a list', 200, '[1]', 'UPSTREAM_PROTOCOL', 'UNKNOWN'],
    [
      'an error without a result',
      200,
      '{"error":{"Code":"API_350_ERROR"}}',
      'INSUFFICIENT_FUNDS',
      'NO',
    ],
    ['an error in words', 200, '{"status":"error","message":"no"}', 'UPSTREAM_PROTOCOL', 'UNKNOWN'],
    ['a refusal of a proxy', 403, '{"error":"Forbidden"}', 'UPSTREAM_UNAVAILABLE', 'UNKNOWN'],
    ['a 429 of a proxy', 429, '{"error":"Slow down"}', 'RATE_LIMITED', 'UNKNOWN'],
    [
      'an unlisted refusal',
      429,
      '{"result":"ERROR","error":{"Message":"no"}}',
      'UPSTREAM_REJECTED',
      'UNKNOWN',
    ],
    ['an unlisted code', 400, '{"error":{"Code":"X"}}', 'UPSTREAM_REJECTED', 'UNKNOWN'],
    [
      'an unlisted code of a broken server',
      500,
      '{"result":"ERROR","error":{"Code":"X"}}',
      'UPSTREAM_UNAVAILABLE',
      'UNKNOWN',
    ],
    [
      'a success that holds an error',
      200,
      '{"result":"OK","error":{"Code":"X"}}',
      'UPSTREAM_PROTOCOL',
      'UNKNOWN',
    ],
    [
      'a body nested without end',
      200,
      '['.repeat(200_000) + ']'.repeat(200_000),
      'UPSTREAM_PROTOCOL',
      'UNKNOWN',
    ],
  ])('%s', async (_, status, body, code, executed) => {
    const write = await faultOf(answering(reply(body, status)).domain('registerdomain'));
    const read = await faultOf(answering(reply(body, status)).domain('getdetails'));

    expect(write).toMatchObject({ code, executed });
    expect(read).toMatchObject({ code, executed: 'NO' });
  });

  test.each([200, 201, 299])('a success with status %i is a success', async (status) => {
    const { domain } = answering(reply(registered, status));

    expect(await domain('registerdomain')).toMatchObject({ name: 'acme-shop.com' });
  });

  test.each([
    [200, '', true],
    [200, page, true],
    [200, '{"result":"MAYBE"}', false],
    [400, '', false],
    [302, '', false],
  ])('a read with status %i and the body %j may be retried: %j', async (status, body, is) => {
    const fault = await faultOf(answering(reply(body, status)).domain('getdetails'));

    expect(fault).toMatchObject({ code: 'UPSTREAM_PROTOCOL', retryable: is });
  });
});

describe('Retry-After', () => {
  const waitOf = async (header: string | readonly string[] | undefined, body = '') => {
    const headers = header === undefined ? {} : { 'retry-after': header };
    const { domain } = answering(reply(body, 429, headers));
    return (await faultOf(domain('registerdomain'))).facts.retryAfterMs;
  };

  test.each([
    ['7', 7_000],
    [' 7 ', 7_000],
    ['0', 0],
    ['0.001', 1],
    ['1.5', 1_500],
    // 1.005 * 1,000 is 1,004.9999… as a binary fraction.
    ['1.005', 1_005],
    ['Sat, 31 Jan 2026 12:00:05 GMT', 5_000],
    ['Sat, 31 Jan 2026 12:00:00 GMT', 0],
    ['Sat, 31 Jan 2026 11:00:00 GMT', 0],
    ['86399', 86_399_000],
    ['86400', 86_400_000],
    ['999999999', 86_400_000],
    ['soon', undefined],
    ['', undefined],
    ['1.2345', undefined],
    ['7 seconds', undefined],
    ['a 7', undefined],
    ['-5', undefined],
    ['5, 10', undefined],
    ['tomorrow 12:00:00', undefined],
    ['Saturday, 31-Jan-26 12:00:05 GMT', 5_000],
  ])('%j is a wait of %j ms', async (header, waitMs) => {
    expect(await waitOf(header)).toBe(waitMs);
  });

  test('is the first of several, and none without a header', async () => {
    expect(await waitOf(['2', '9'])).toBe(2_000);
    expect(await waitOf([])).toBeUndefined();
    expect(await waitOf(undefined)).toBeUndefined();
  });

  test('is read with a refusal and with the failure of a success too', async () => {
    const period = JSON.stringify({
      result: 'ERROR',
      error: { Code: 'API_530_ERROR', Message: 'min: 1, max: 5' },
    });
    for (const [body, status, facts] of [
      [period, 400, { minimum: 1, maximum: 5, retryAfterMs: 3_000 }],
      ['', 200, { retryAfterMs: 3_000 }],
    ] as const) {
      const { domain } = answering(reply(body, status, { 'retry-after': '3' }));

      expect((await faultOf(domain('registerdomain'))).facts).toEqual(facts);
    }
    const { account } = answering(reply('', 503, { 'retry-after': '3' }));
    expect((await faultOf(account('deleteLogs'))).facts).toEqual({ retryAfterMs: 3_000 });
  });
});

describe('the Account API', () => {
  test.each<[status: number, code: string, executed: string]>([
    [199, 'UPSTREAM_PROTOCOL', 'UNKNOWN'],
    [300, 'UPSTREAM_PROTOCOL', 'UNKNOWN'],
    [302, 'UPSTREAM_PROTOCOL', 'UNKNOWN'],
    [399, 'UPSTREAM_PROTOCOL', 'UNKNOWN'],
    [400, 'INVALID_INPUT', 'NO'],
    [401, 'UNAUTHENTICATED', 'NO'],
    [402, 'UPSTREAM_REJECTED', 'UNKNOWN'],
    [403, 'FORBIDDEN', 'NO'],
    [404, 'UPSTREAM_PROTOCOL', 'NO'],
    [405, 'UPSTREAM_PROTOCOL', 'UNKNOWN'],
    [408, 'UPSTREAM_TIMEOUT', 'UNKNOWN'],
    [409, 'INVALID_INPUT', 'NO'],
    [410, 'UPSTREAM_PROTOCOL', 'NO'],
    [413, 'INVALID_INPUT', 'NO'],
    [422, 'INVALID_INPUT', 'NO'],
    [429, 'RATE_LIMITED', 'UNKNOWN'],
    [499, 'UPSTREAM_REJECTED', 'UNKNOWN'],
    [500, 'UPSTREAM_UNAVAILABLE', 'UNKNOWN'],
    [503, 'UPSTREAM_UNAVAILABLE', 'UNKNOWN'],
    [504, 'UPSTREAM_TIMEOUT', 'UNKNOWN'],
  ])('%i is %s, executed %s', async (status, code, executed) => {
    expect(await faultOf(answering(reply('', status)).account('deleteLogs'))).toMatchObject({
      code,
      executed,
      upstream: { code: `HTTP_${status}` },
    });
  });

  test('the message of a failure is passed on, cleaned', async () => {
    const failing = answering(reply(replyText('quirks/createCart.error-envelope'), 422));

    expect((await faultOf(failing.account('createCart'))).upstream).toEqual({
      code: 'HTTP_422',
      message: 'quantity must be positive',
    });
  });

  test('429 with a JSON body was not executed', async () => {
    const limited = answering(reply('{"message":"slow down"}', 429));

    expect(await faultOf(limited.account('deleteLogs'))).toMatchObject({
      ...{ code: 'RATE_LIMITED', executed: 'NO' },
    });
  });

  test.each([
    [200, 399, null],
    [200, 400, 'HTTP_400'],
    [299, 599, 'HTTP_599'],
    [200, 600, null],
    [200, '404', 'HTTP_404'],
    [200, 200, null],
    [404, 200, 'HTTP_404'],
    [404, 500, 'HTTP_404'],
  ])(
    'status %i with the status %j in its envelope has the code %j',
    async (status, inner, code) => {
      const { account } = answering(reply(JSON.stringify({ statusCode: inner }), status));
      const outcome = account('deleteLogs');

      if (code === null) expect(await outcome).toBeNull();
      else expect((await faultOf(outcome)).upstream?.code).toBe(code);
    },
  );

  test('a failure in the envelope of a 200 reply is a failure', async () => {
    const failing = answering(reply('{"statusCode":422,"message":["no cart","no user"]}'));

    expect(await faultOf(failing.account('createCart'))).toMatchObject({
      code: 'INVALID_INPUT',
      upstream: { code: 'HTTP_422', message: 'no cart; no user' },
    });
  });

  test.each([
    ['logout', 'UPSTREAM_PROTOCOL', /ACCOUNT_API_URL may be wrong/],
    ['createCart', 'UPSTREAM_PROTOCOL', /ACCOUNT_API_URL may be wrong/],
    ['deleteLogs', 'UPSTREAM_PROTOCOL', /ACCOUNT_API_URL may be wrong/],
    ['updateHostingGroup', 'NOT_FOUND', /^The account has no such object\.$/],
    ['deleteHostingGroup', 'NOT_FOUND', /^The account has no such object\.$/],
  ])('404 to %s is %s: a call without an object lacks none', async (name, code, message) => {
    const fault = await faultOf(answering(reply(page, 404)).account(name));

    expect(fault).toMatchObject({ code, executed: 'NO', message: expect.stringMatching(message) });
  });

  test.each<[body: unknown, code: string, message: string]>([
    [
      { result: 'ERROR', error: { Code: 'API_1', Message: 'Failed', Details: 'Cart is full' } },
      ...(['API_1', 'Cart is full'] as const),
    ],
    [{ result: ' error ', message: 'no' }, 'HTTP_200', 'no'],
    [{ Result: 'Failed' }, 'HTTP_200', ''],
    [{ success: false }, 'HTTP_200', ''],
    [{ success: 'FALSE', code: 17, message: ['a', 'b'] }, '17', 'a; b'],
    [{ success: 0 }, 'HTTP_200', ''],
    [{ Success: false, Message: 'no' }, 'HTTP_200', 'no'],
    [{ status: 'Error', message: `token ${token}` }, 'HTTP_200', 'token [redacted]'],
    [{ error: 'boom' }, 'HTTP_200', 'boom'],
    [{ error: true }, 'HTTP_200', ''],
    [{ error: { code: 'E7', message: 'boom' } }, 'E7', 'boom'],
    // No text can be made of this code.
    [{ error: { code: { toString: 1 }, message: [{}, 'boom'] } }, 'HTTP_200', 'boom'],
    [{ error: ['boom', { message: 'bang' }] }, 'HTTP_200', 'boom; bang'],
    [{ errors: [{ message: 'boom' }, 7] }, 'HTTP_200', 'boom'],
    [{ errors: { name: [`boom ${token}`] } }, 'HTTP_200', 'boom [redacted]'],
    [{ errors: [[[[[]]]]] }, 'HTTP_200', ''],
    [{ statusCode: 200, data: { success: false, message: 'no' } }, 'HTTP_200', 'no'],
    [{ statusCode: 200, message: 'no', errors: 'x', data: { id: 7 } }, 'HTTP_200', 'no'],
  ])('200 with %j is a failure with the upstream code %s and %j', async (body, code, message) => {
    const denying = answering(reply(JSON.stringify(body)));

    for (const name of ['createCart', 'deleteLogs']) {
      expect(await faultOf(denying.account(name))).toMatchObject({
        ...{ code: 'UPSTREAM_REJECTED', executed: 'UNKNOWN', upstream: { code, message } },
      });
    }
  });

  test.each<[body: string, type: string]>([
    [page, ''],
    ['\ufeff \n<!DOCTYPE html><title>Sign in</title>', 'application/json'],
    ['<?xml version="1.0"?><Error/>', ''],
    ['Please sign in', 'text/html; charset=utf-8'],
  ])('200 with the page %j of the type %j is a failure', async (body, type) => {
    const failing = answering(reply(body, 200, { 'content-type': type }));

    expect(await faultOf(failing.account('deleteLogs'))).toMatchObject({
      code: 'UPSTREAM_PROTOCOL',
      executed: 'UNKNOWN',
      message: expect.stringContaining('web page'),
    });
  });

  test.each(['', ' ', '{}', '{"result":"OK"}', '<br />\n<b>Warning</b>: x\n{"result":"OK"}'])(
    '200 with %j of the type text/html, which PHP sends for JSON too, is a success',
    async (body) => {
      const { account } = answering(reply(body, 200, { 'content-type': 'text/html' }));

      expect(await account('deleteLogs')).toBeNull();
    },
  );

  test.each<unknown>([
    { result: 'OK', success: true, status: 'success', error: null, errors: [] },
    { error: false, errors: {}, status: 200, message: 'error' },
    { error: '', success: 'true', result: 1 },
    { error: 'false', errors: 0, data: [] },
    { error: { code: 0, message: '' }, errors: [null] },
    { error: ' ', success: null, data: { error: null, status: 'failed' } },
  ])('200 with %j is a success', async (body) => {
    expect(await answering(reply(JSON.stringify(body))).account('deleteLogs')).toBeNull();
  });

  test.each([
    ['an empty body', '', null],
    ['a word', 'OK', null],
    ['another shape', '{"ok":true}', null],
    ['a list', '[]', null],
    ['the common envelope', replyText('quirks/createCart.envelope'), '66f2a1'],
    ['an id alone', '{"id":17}', '17'],
  ])('a success with %s is a success', async (_, body, id) => {
    const succeeding = answering(reply(body, 201));

    expect(await succeeding.account('createCart')).toBe(id);
    expect(await succeeding.account('deleteLogs')).toBeNull();
  });
});

describe('the text of a message', () => {
  const lineOf = async (message: unknown, details: unknown = '') => {
    const error = { Code: 'API_2306_ERROR', Message: message, Details: details };
    const refusing = answering(reply(JSON.stringify({ result: 'ERROR', error }), 400));
    return (await faultOf(refusing.domain('registerdomain'))).upstream?.message;
  };

  test.each([
    ['Failed', 'Not allowed   ', 'Not allowed'],
    ['Refused', 'by policy', 'Refused (by policy)'],
    ['Same', 'Same', 'Same'],
    ['a\r\nb\tc\u0000d\u202ee', '', 'a b c d e'],
    ['<script>alert(1)</script>Hello <b>there</b>', '', 'alert(1) Hello there'],
    [{ period: ['Too long', 7] }, null, 'Too long'],
    ['Failed', { domain: ['Bad.', 'Short.'], period: 'Odd.' }, 'Bad.; Short.; Odd.'],
  ])('%j with %j becomes %j', async (message, details, line) => {
    expect(await lineOf(message, details)).toBe(line);
  });

  test('has at most 300 characters', async () => {
    expect(await lineOf('x'.repeat(5_000))).toHaveLength(300);
  });

  test.each(['Message', 'Details', 'Code'])(
    'credentials that the service echoes in %s are hidden',
    async (member) => {
      const echo = `Login ${username} with ${password} or ${encodeURIComponent(password)} failed ${'x'.repeat(280)}`;
      const error = { Code: 'X', Message: 'Failed', Details: '', [member]: echo };
      const clients = answering(reply(JSON.stringify({ result: 'ERROR', error }), 400));

      const fault = await faultOf(clients.domain('getdetails'));

      const shown = JSON.stringify({ ...fault, message: fault.message, stack: fault.stack });
      expect(shown.toLowerCase()).toContain('[redacted]');
      for (const secret of [username, password, 'wörd', encodeURIComponent(password)]) {
        expect(shown.toLowerCase()).not.toContain(secret.toLowerCase());
      }
    },
  );

  test('credentials echoed for one name of a bulk check are hidden too', async () => {
    const entry = { status: 'error', message: `user ${username}: no` };
    const offer = { Status: 'notavailable', Reason: `seen by ${username}` };
    const body = JSON.stringify({
      status: 'success',
      availability: { 'a.com': entry, 'b.com': [offer] },
    });

    const answer = await answering(reply(body)).domainApi.bulkcheckavailability(
      { domains: ['a.com'] },
      {},
    );

    expect(answer.get('a.com')).toMatchObject({
      executed: 'NO',
      upstream: { message: 'user [redacted]: no' },
    });
    expect(answer.get('b.com')).toMatchObject([{ reason: 'seen by [redacted]' }]);
  });

  test("a caller's token that the Account API echoes is hidden", async () => {
    const failing = answering(reply(JSON.stringify({ message: `Bad token ${token}` }), 401));

    expect((await faultOf(failing.account('logout'))).upstream?.message).toBe(
      'Bad token [redacted]',
    );
  });
});
