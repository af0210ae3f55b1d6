import { describe, expect, test } from 'vitest';
import { domainApi } from '../../src/upstream/domain-api/operations.ts';
import { errorCodes } from '../../src/upstream/wire/error-codes.ts';
import { answering, faultOf, reply } from './clients.ts';
import { listedCodes } from './code-facts.ts';
import { replyText } from './fixtures.ts';

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
  test.each([
    'API_999_ERROR',
    'API_2999_ERROR',
    'SOMETHING_NEW',
    'API_503',
    '__proto__',
    'constructor',
  ])('%s is reported as it is, and the outcome of a write is unknown', async (code) => {
    expect(await refusedBy('registerdomain', body(code))).toMatchObject({
      code: 'UPSTREAM_REJECTED',
      executed: 'UNKNOWN',
      upstream: { code: code.toUpperCase(), message: 'Failed' },
    });
  });

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
  ['quirks/getdetails.error-300', 'getdetails', 'UPSTREAM_AUTH', 'Reseller not found!'],
  ['quirks/getdetails.error-510', 'getdetails', 'NOT_FOUND', 'Domain not found.'],
  [
    'quirks/transferdomain.error-2303',
    'transferdomain',
    'AUTH_CODE_INVALID',
    'There are no additional details.',
  ],
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
  ['quirks/registerdomain.error-400-contact', 'registerdomain', 'INVALID_CONTACT', 'Failed'],
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
