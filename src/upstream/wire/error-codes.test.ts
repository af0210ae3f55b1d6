import { describe, expect, test } from 'vitest';
import { answering, faultOf, reply } from '../../../test/support/upstream/clients.ts';
import { listedCodes } from '../../../test/support/upstream/code-facts.ts';
import { replyText } from '../../../test/support/upstream/fixtures.ts';
import { domainApi } from '../domain-api/operations.ts';
import { errorCodes, readErrorBody } from './error-codes.ts';

const body = (code: unknown, message = 'Failed', details = '') =>
  JSON.stringify({ result: 'ERROR', error: { Code: code, Message: message, Details: details } });

const refusedBy = (action: string, text: string, status = 400) =>
  faultOf(answering(reply(text, status)).domain(action));

test('both lists have the same codes', () => {
  expect(listedCodes.map(([code]) => code).sort()).toEqual([...errorCodes.keys()].sort());
});

test.each(listedCodes)('%s is %s, executed %s', async (code, fault, executed) => {
  // An action that no code has a reading of its own for.
  expect(await refusedBy('modifynameserver', body(code))).toMatchObject({
    code: fault,
    executed,
    upstream: { code },
  });
  // The same code in a failure under HTTP 200.
  expect(await refusedBy('modifynameserver', body(code), 200)).toMatchObject({
    code: fault,
    executed,
  });
  // Reading changes nothing, whatever the code.
  expect(await refusedBy('getdetails', body(code))).toMatchObject({ executed: 'NO' });
});

describe('the meaning of a code depends on the action', () => {
  test.each([
    ['transferdomain', 'API_2002_ERROR', 'ALREADY_OWNED'],
    ['transferdomain', 'API_2200_ERROR', 'AUTH_CODE_INVALID'],
    ['transferdomain', 'API_2303_ERROR', 'AUTH_CODE_INVALID'],
    ['registerdomain', 'API_2304_ERROR', 'RESERVED'],
    ['transferdomain', 'API_2304_ERROR', 'LOCKED'],
    ['registerdomain', 'API_400_ERROR', 'INVALID_CONTACT'],
    ['transferdomain', 'API_400_ERROR', 'INVALID_INPUT'],
  ])('%s, %s: %s', async (action, code, fault) => {
    expect(await refusedBy(action, body(code))).toMatchObject({ code: fault, executed: 'NO' });
  });

  test('400 with a sentence is an invalid request, for a registration too', async () => {
    const fault = await refusedBy(
      'registerdomain',
      replyText('quirks/registerdomain.error-400-request'),
    );

    expect(fault).toMatchObject({
      code: 'INVALID_INPUT',
      upstream: { code: 'API_400_ERROR', message: 'The period field is required.' },
    });
  });

  test('every action with its own meaning of a code exists', () => {
    const actions = [...errorCodes.values()].flatMap(({ perAction = {} }) =>
      Object.keys(perAction),
    );

    expect(actions.filter((action) => !(action in domainApi))).toEqual([]);
    expect(actions).not.toEqual([]);
  });
});

describe('an unlisted code', () => {
  test.each(['API_999_ERROR', 'API_2999_ERROR', 'SOMETHING_NEW', '__proto__', 'constructor'])(
    '%s is reported as it is, and the outcome of a write is unknown',
    async (code) => {
      expect(await refusedBy('registerdomain', body(code))).toMatchObject({
        code: 'UPSTREAM_REJECTED',
        executed: 'UNKNOWN',
        upstream: { code: code.toUpperCase(), message: '' },
      });
    },
  );

  test.each([undefined, null, {}, [], true])('%j is no code', async (code) => {
    expect(await refusedBy('registerdomain', body(code))).toMatchObject({
      code: 'UPSTREAM_REJECTED',
      executed: 'UNKNOWN',
      upstream: { code: '' },
    });
  });

  test.each([2302, '2302', ' api_2302_error '])(
    '%j is a listed one in another spelling',
    async (code) => {
      expect(await refusedBy('registerdomain', body(code))).toMatchObject({
        code: 'ALREADY_EXISTS',
        upstream: { code: 'API_2302_ERROR' },
      });
    },
  );
});

test.each([
  ['INVALID_CREDINTIALS', 'UPSTREAM_AUTH', 'NO'],
  ['INVALID_CREDINENTIALS', 'UPSTREAM_AUTH', 'NO'],
  ['credentials', 'UPSTREAM_AUTH', 'NO'],
  ['WRONG_CREDENTIAL', 'UPSTREAM_AUTH', 'NO'],
  ['INSUFFICIENT_CREDIT', 'UPSTREAM_REJECTED', 'UNKNOWN'],
  ['INVALID_CONTACT_INTO', 'UPSTREAM_UNAVAILABLE', 'UNKNOWN'],
  ['INVALID_CONTACT', 'UPSTREAM_REJECTED', 'UNKNOWN'],
  ['INVALID_RESPONSE_SOAP', 'UPSTREAM_UNAVAILABLE', 'UNKNOWN'],
  ['API_2302_FAILURE', 'ALREADY_EXISTS', 'NO'],
  ['API_2400_FAILURE', 'UPSTREAM_UNAVAILABLE', 'UNKNOWN'],
  ['API_999_FAILURE', 'UPSTREAM_REJECTED', 'UNKNOWN'],
  ['API_400_FAILURE', 'INVALID_CONTACT', 'NO'],
  ['API_503', 'UPSTREAM_UNAVAILABLE', 'UNKNOWN'],
  ['API_404', 'UPSTREAM_REJECTED', 'UNKNOWN'],
  ['CURL_52', 'UPSTREAM_UNAVAILABLE', 'UNKNOWN'],
  ['CURL_28', 'UPSTREAM_TIMEOUT', 'UNKNOWN'],
])('%s is read as a spelling of its family: %s', async (code, fault, executed) => {
  expect(await refusedBy('registerdomain', body(code))).toMatchObject({
    ...{ code: fault, executed },
    upstream: { code: code.toUpperCase() },
  });
});

test.each([
  ['quirks/getdetails.error-300', 'getdetails', 'UPSTREAM_AUTH', 'Reseller not found!'],
  ['quirks/getdetails.error-510', 'getdetails', 'NOT_FOUND', 'Domain not found.'],
  ['quirks/transferdomain.error-2303', 'transferdomain', 'AUTH_CODE_INVALID', ''],
  [
    'quirks/transferdomain.error-2303-blanks',
    'transferdomain',
    'AUTH_CODE_INVALID',
    'Object does not exist',
  ],
  [
    'quirks/addchildnameserver.error-2004',
    'addchildnameserver',
    'INVALID_INPUT',
    'Parameter value range error; (127.11.0.4) is not a valid, public ip',
  ],
  ['quirks/registerdomain.error-400-contact', 'registerdomain', 'INVALID_CONTACT', ''],
])('the captured failure %s', async (fixture, action, code, message) => {
  expect(await refusedBy(action, replyText(fixture))).toMatchObject({
    code,
    upstream: { message },
  });
});

test.each([
  ['Period must be between 2 and 10 years ', { minimum: 2, maximum: 10 }],
  ['min: 1, max: 5', { minimum: 1, maximum: 5 }],
  ['MinPeriod=2;MaxPeriod=10', { minimum: 2, maximum: 10 }],
  ['1-10', { minimum: 1, maximum: 10 }],
  ['Maximum total period is 10 years', { maximum: 10 }],
  ['Out of range.', {}],
])('a period out of range has the bounds of the details: %j', async (details, bounds) => {
  const fault = await refusedBy('registerdomain', body('API_530_ERROR', 'Failed', details));

  expect(fault.facts).toEqual(bounds);
});

test.each([
  ['API_530_ERROR', 'Period must be between 2 and 10 years.'],
  ['API_560_ERROR', 'Name server count must be between 2 and 13.'],
  ['API_510_ERROR', 'Domain not found.'],
])('%s is classified alike wherever the upstream puts its message', async (code, text) => {
  const captured = await refusedBy('registerdomain', body(code, 'Failed', text));

  for (const [message, details] of [
    [text, ''],
    [text, text],
    [text, 'There are no additional details  '],
  ]) {
    const { code, message: words, facts, upstream } = captured;
    expect(await refusedBy('registerdomain', body(upstream?.code, message, details))).toMatchObject(
      { code, message: words, facts, upstream },
    );
  }
});

describe('a body is an error', () => {
  test.each<[what: string, body: unknown, code: string]>([
    ['with the result ERROR', { result: ' Error ' }, ''],
    ['with the status error', { status: 'ERROR', message: 'no' }, ''],
    ['with an error object', { error: { Code: 'X' } }, 'X'],
    ['with an error in words', { error: 'no' }, ''],
    ['beside a success', { result: 'OK', error: { Message: 'no' } }, ''],
  ])('%s', (_, value, code) => {
    expect(readErrorBody(value, 'getdetails')).toMatchObject({ upstream: { code } });
  });

  test.each([
    [{ result: 'OK' }],
    [{ result: 'ERRORS' }],
    [{ result: ['error'] }],
    [{ status: 'success' }],
    [{ error: {} }],
    [{ error: '' }],
    [{ error: null }],
    [{ error: [] }],
    [{ error: ['no'] }],
    [{ error: true }],
    [[{ result: 'ERROR' }]],
    ['error'],
    [null],
    [undefined],
  ])('not as %j', (value) => {
    expect(readErrorBody(value, 'getdetails')).toBeNull();
  });
});

describe('the message of an error', () => {
  const messageOf = (value: object) => readErrorBody(value, 'getdetails')?.upstream?.message;

  test.each<[what: string, body: object, message: string]>([
    ['its own', { result: 'ERROR', error: { Message: 'own' }, message: 'outer' }, 'own'],
    ['that of the body', { result: 'ERROR', error: {}, message: 'outer' }, 'outer'],
    ['the error in words', { error: 'words' }, 'words'],
    ['its details without one', { error: { Message: '', Details: 'more' } }, 'more'],
    ['its details after a placeholder', { error: { Message: 'FAILED.', Details: 'x' } }, 'x'],
    ['empty for a filler', { error: { Message: 'Failed', Details: '' } }, ''],
    ['empty for two', { error: { Message: 'FAILED.', Details: ' No additional details. ' } }, ''],
    [
      'its details after a filler',
      { error: { Message: 'there are no additional details', Details: 'x' } },
      'x',
    ],
    [
      'itself before another filler',
      { error: { Message: 'a', Details: 'No additional details' } },
      'a',
    ],
    ['all texts of its details', { error: { Details: { a: ['b', 'c'], d: 'e' } } }, 'b; c; e'],
    ['both', { error: { Message: 'Failed to save', Details: 'x' } }, 'Failed to save (x)'],
    [
      'both, with more than a placeholder',
      { error: { Message: 'a', Details: 'There are no additional details, sorry' } },
      'a (There are no additional details, sorry)',
    ],
    ['one of two equal ones', { error: { Message: 'a', Details: 'a' } }, 'a'],
    [
      'itself before a placeholder',
      { error: { Message: 'a', Details: 'there are no additional details' } },
      'a',
    ],
  ])('is %s', (_, value, message) => {
    expect(messageOf(value)).toBe(message);
  });
});

test('the code of an error has 64 characters at most', () => {
  const codeOf = (Code: string) => readErrorBody({ error: { Code } }, 'a')?.upstream?.code;

  expect(codeOf('x'.repeat(64))).toBe('X'.repeat(64));
  expect(codeOf('x'.repeat(65))).toBe('X'.repeat(64));
  expect([codeOf('1'), codeOf('2303'), codeOf('12345'), codeOf('2303x'), codeOf('x2303')]).toEqual([
    ...['API_1_ERROR', 'API_2303_ERROR', '12345', '2303X', 'X2303'],
  ]);
});

test.each([
  ['registerdomain', 'Failed', 'INVALID_CONTACT'],
  ['registerdomain', 'failed.', 'INVALID_CONTACT'],
  ['registerdomain', 'It failed', 'INVALID_INPUT'],
  ['registerdomain', 'Failed because', 'INVALID_INPUT'],
  ['registerdomain', 'Failed..', 'INVALID_INPUT'],
  ['modifynameserver', 'Failed', 'INVALID_INPUT'],
])('API_400_ERROR of %s with the message %j is %s', (action, Message, code) => {
  const error = { Code: 'API_400_ERROR', Message };

  expect(readErrorBody({ error }, action)).toMatchObject({ code, executed: 'NO' });
});

test.each([
  ['between 1 and 10', { minimum: 1, maximum: 10 }],
  ['1 - 10', { minimum: 1, maximum: 10 }],
  ['1–10', { minimum: 1, maximum: 10 }],
  ['1 to 10', { minimum: 1, maximum: 10 }],
  ['1, 10', { minimum: 1, maximum: 10 }],
  ['1 or 10', {}],
  ['2024-2030', {}],
  ['minimum 2', { minimum: 2 }],
  ['minimum 2 to 9', { minimum: 2 }],
  ['maximum 3 to 9', { maximum: 3 }],
  ['min. 2 years, max. 10 years', { minimum: 2, maximum: 10 }],
  [`min${' '.repeat(40)}2`, { minimum: 2 }],
  [`min${'x'.repeat(40)}2`, { minimum: 2 }],
  [`min${'x'.repeat(41)}2`, {}],
  [`max${'x'.repeat(40)}2`, { maximum: 2 }],
  [`max${'x'.repeat(41)}2`, {}],
  ['min 200', {}],
  ['max 200', {}],
])('the bounds of the period in %j are %j', (Message, facts) => {
  expect(readErrorBody({ error: { Code: '530', Message } }, 'registerdomain')?.facts).toEqual(
    facts,
  );
});

test('bounds are read for a period out of range only', () => {
  const error = { Code: 'API_560_ERROR', Message: 'between 2 and 13' };

  expect(readErrorBody({ error }, 'registerdomain')?.facts).toEqual({});
});
