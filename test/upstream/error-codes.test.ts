import { describe, expect, test } from 'vitest';
import { domainApi } from '../../src/upstream/domain-api/operations.ts';
import { errorCodes } from '../../src/upstream/error-codes.ts';
import { answering, faultOf, reply } from './clients.ts';
import { replyText } from './fixtures.ts';

const body = (code: unknown, message = 'Failed', details = '') =>
  JSON.stringify({ result: 'ERROR', error: { Code: code, Message: message, Details: details } });

const refusedBy = (action: string, text: string, status = 400) =>
  faultOf(answering(reply(text, status)).domain(action));

/** Sections 3 and 4 of the facts, copied a second time by hand: codes, fault, whether it was surely not done. */
const facts: readonly [codes: string, fault: string, executed: 'NO' | 'UNKNOWN'][] = [
  ['1000 1001 1300 1301 1500', 'UPSTREAM_PROTOCOL', 'UNKNOWN'],
  ['2000 2001 2002', 'UPSTREAM_PROTOCOL', 'NO'],
  ['2003 2004 2005', 'INVALID_INPUT', 'NO'],
  ['2100 2101 2102 2103', 'NOT_SUPPORTED', 'NO'],
  ['2104', 'INSUFFICIENT_FUNDS', 'NO'],
  ['2105 2106', 'NOT_ELIGIBLE', 'NO'],
  ['2200', 'UPSTREAM_AUTH', 'NO'],
  ['2201', 'NOT_OWNED', 'NO'],
  ['2202', 'AUTH_CODE_INVALID', 'NO'],
  ['2300', 'TRANSFER_PENDING', 'NO'],
  ['2301', 'NOT_ELIGIBLE', 'NO'],
  ['2302', 'ALREADY_EXISTS', 'NO'],
  ['2303', 'NOT_FOUND', 'NO'],
  ['2304', 'LOCKED', 'NO'],
  ['2305', 'IN_USE', 'NO'],
  ['2306 2307 2308', 'POLICY', 'NO'],
  ['2400 2500', 'UPSTREAM_UNAVAILABLE', 'UNKNOWN'],
  ['2501', 'UPSTREAM_AUTH', 'NO'],
  ['2502', 'RATE_LIMITED', 'NO'],
  ['101 102 103 598 364 501 502 583', 'UPSTREAM_UNAVAILABLE', 'UNKNOWN'],
  ['200 210 211 597', 'UPSTREAM_PROTOCOL', 'NO'],
  ['300', 'UPSTREAM_AUTH', 'NO'],
  ['301 0', 'IP_NOT_ALLOWED', 'NO'],
  ['310 320 570 580', 'TLD_UNSUPPORTED', 'NO'],
  ['321 340', 'PRICE_UNAVAILABLE', 'NO'],
  ['330 571 572 573 574 400 505 594 550 560 561', 'INVALID_INPUT', 'NO'],
  ['350', 'INSUFFICIENT_FUNDS', 'NO'],
  ['360 361', 'RATE_LIMITED', 'NO'],
  ['362', 'PREMIUM_UNAVAILABLE', 'NO'],
  ['363 512 513 514', 'NOT_ELIGIBLE', 'NO'],
  ['410 420 430 450', 'INVALID_CONTACT', 'NO'],
  ['401 402 404 440 451 595 596', 'CONTACT_UNAVAILABLE', 'NO'],
  ['500 504 510 511 581 599', 'NOT_FOUND', 'NO'],
  ['503', 'NOT_AVAILABLE', 'NO'],
  ['507', 'NOT_OWNED', 'NO'],
  ['575 576 584 592 593', 'LOCKED', 'NO'],
  ['530 540', 'PERIOD_OUT_OF_RANGE', 'NO'],
  ['582', 'TRANSFER_PENDING', 'NO'],
  ['590', 'AUTH_CODE_REQUIRED', 'NO'],
  ['591', 'AUTH_CODE_INVALID', 'NO'],
];
const numbered = facts.flatMap(([codes, fault, executed]) =>
  codes.split(' ').map((code) => [`API_${code}_ERROR`, fault, executed] as const),
);
const named = [
  ['INVALID_CREDINTIALS', 'UPSTREAM_AUTH', 'NO'],
  ['INVALID_CREDENTIALS', 'UPSTREAM_AUTH', 'NO'],
  ['CREDENTIALS', 'UPSTREAM_AUTH', 'NO'],
  ['API_RATE_LIMIT_EXCEEDED', 'RATE_LIMITED', 'NO'],
  ['API_429', 'RATE_LIMITED', 'UNKNOWN'],
  ['CURL_28', 'UPSTREAM_TIMEOUT', 'UNKNOWN'],
  ['API_-1', 'UPSTREAM_UNAVAILABLE', 'UNKNOWN'],
  ['API_0', 'UPSTREAM_UNAVAILABLE', 'UNKNOWN'],
  ['API_PROCESS_ERROR', 'UPSTREAM_UNAVAILABLE', 'UNKNOWN'],
  ['UNKNOWN_ERROR', 'UPSTREAM_UNAVAILABLE', 'UNKNOWN'],
  ['RESPONSE', 'UPSTREAM_PROTOCOL', 'UNKNOWN'],
  ['INVALID_RESPONSE', 'UPSTREAM_PROTOCOL', 'UNKNOWN'],
  ['INVALID_DOMAIN_LIST', 'UPSTREAM_PROTOCOL', 'UNKNOWN'],
  ['INVALID_TLD_LIST', 'UPSTREAM_PROTOCOL', 'UNKNOWN'],
  ['INVALID_DOMAIN_REGISTER', 'UPSTREAM_PROTOCOL', 'UNKNOWN'],
  ['INVALID_DOMAIN_SYNC', 'UPSTREAM_PROTOCOL', 'UNKNOWN'],
  ['INVALID_DOMAIN_TRANSFER_REQUEST', 'UPSTREAM_PROTOCOL', 'UNKNOWN'],
] as const;

test('no code is known to one list and not to the other', () => {
  expect([...numbered, ...named].map(([code]) => code).sort()).toEqual(
    [...errorCodes.keys()].sort(),
  );
});

test.each([...numbered, ...named])('%s is %s, executed %s', async (code, fault, executed) => {
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

describe('one code, another action, another meaning', () => {
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

  test('400 with a sentence is a request that does not validate, for a registration too', async () => {
    const fault = await refusedBy(
      'registerdomain',
      replyText('quirks/registerdomain.error-400-request'),
    );

    expect(fault).toMatchObject({
      code: 'INVALID_INPUT',
      upstream: { code: 'API_400_ERROR', message: 'The period field is required.' },
    });
  });

  test('every action that has a reading of its own exists', () => {
    const actions = [...errorCodes.values()].flatMap(({ perAction = {} }) =>
      Object.keys(perAction),
    );

    expect(actions.filter((action) => !(action in domainApi))).toEqual([]);
    expect(actions).not.toEqual([]);
  });
});

describe('a code that nobody listed', () => {
  test.each([
    'API_999_ERROR',
    'API_2999_ERROR',
    'SOMETHING_NEW',
    'API_503',
    '__proto__',
    'constructor',
  ])('%s is told raw, and a write does not pretend to know its outcome', async (code) => {
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
])('a period out of range tells its bounds where the details do: %j', async (details, bounds) => {
  const fault = await refusedBy('registerdomain', body('API_530_ERROR', 'Failed', details));

  expect(fault.facts).toEqual(bounds);
});
