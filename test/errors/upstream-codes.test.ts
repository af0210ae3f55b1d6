import { GraphQLObjectType } from 'graphql';
import { afterAll, describe, expect, test } from 'vitest';
import { type FaultCode, faults } from '../../src/kernel/faults.ts';
import { schema } from '../../src/modules/index.ts';
import { startTestGateway } from '../support/gateway.ts';
import { memberOf } from './members.ts';

const gateway = await startTestGateway({ sandboxDomains: 40 });
afterAll(() => gateway.close());

/** Sections 3 and 4 of the facts, as `syncfromregistry` means them: codes, fault, whether it may have been done. */
const table: readonly (readonly [codes: string, fault: FaultCode, executed: string])[] = [
  ['2000 2001 2002', 'UPSTREAM_PROTOCOL', 'NO'],
  ['2003 2004 2005', 'INVALID_INPUT', 'NO'],
  ['2100 2101 2102 2103', 'NOT_SUPPORTED', 'NO'],
  ['2104 350', 'INSUFFICIENT_FUNDS', 'NO'],
  ['2105 2106 2301', 'NOT_ELIGIBLE', 'NO'],
  ['2200 2501 300', 'UPSTREAM_AUTH', 'NO'],
  ['2201 507', 'NOT_OWNED', 'NO'],
  ['2202 591', 'AUTH_CODE_INVALID', 'NO'],
  ['2300 582', 'TRANSFER_PENDING', 'NO'],
  ['2302', 'ALREADY_EXISTS', 'NO'],
  ['2303 500 504 510 511 581 599', 'NOT_FOUND', 'NO'],
  ['2304', 'LOCKED', 'NO'],
  ['2305', 'IN_USE', 'NO'],
  ['2306 2307 2308', 'POLICY', 'NO'],
  ['2400 2500', 'UPSTREAM_UNAVAILABLE', 'UNKNOWN'],
  ['2502 360 361', 'RATE_LIMITED', 'NO'],
  ['101 102 103 598', 'UPSTREAM_UNAVAILABLE', 'UNKNOWN'],
  ['200 210 211 597', 'UPSTREAM_PROTOCOL', 'NO'],
  ['301 0', 'IP_NOT_ALLOWED', 'NO'],
  ['310 320 570 580', 'TLD_UNSUPPORTED', 'NO'],
  ['321 340', 'PRICE_UNAVAILABLE', 'NO'],
  ['330 571 572 573 574', 'INVALID_INPUT', 'NO'],
  ['362', 'PREMIUM_UNAVAILABLE', 'NO'],
  ['363', 'NOT_ELIGIBLE', 'NO'],
  ['364 501 502 583', 'UPSTREAM_UNAVAILABLE', 'UNKNOWN'],
  // 400 is a contact's for a registration, and validation everywhere else.
  ['400', 'INVALID_INPUT', 'NO'],
  ['410 420 430 450', 'INVALID_CONTACT', 'NO'],
  ['401 402 404 440 451 595 596', 'CONTACT_UNAVAILABLE', 'NO'],
  ['503', 'NOT_AVAILABLE', 'NO'],
  ['505 594 550 560 561', 'INVALID_INPUT', 'NO'],
  ['512 513 514', 'NOT_ELIGIBLE', 'NO'],
  ['575 576 584 593 592', 'LOCKED', 'NO'],
  ['530 540', 'PERIOD_OUT_OF_RANGE', 'NO'],
  ['590', 'AUTH_CODE_REQUIRED', 'NO'],
  // Success codes in a failure, and codes that nobody listed: nothing is certain.
  ['1000 1001 1300 1301 1500', 'UPSTREAM_PROTOCOL', 'UNKNOWN'],
  ['999 2999', 'UPSTREAM_REJECTED', 'UNKNOWN'],
];
const words: readonly (readonly [code: string, fault: FaultCode, executed: string])[] = [
  ['INVALID_CREDINTIALS', 'UPSTREAM_AUTH', 'NO'],
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
  ['SOMETHING_NEW', 'UPSTREAM_REJECTED', 'UNKNOWN'],
];
const cases = [
  ...table.flatMap(([codes, fault, executed]) =>
    codes.split(' ').map((code) => [`API_${code}_ERROR`, fault, executed] as const),
  ),
  ...words,
];

/** The types that tell the service's own code. */
const telling = Object.values(schema.getTypeMap())
  .filter((type) => type instanceof GraphQLObjectType && 'upstreamCode' in type.getFields())
  .map(({ name }) => name);
const document = `mutation { syncDomain(input: { domain: "unlocked-demo.com" }) {
  errors { __typename code message path executed retryable
    ${telling.map((type) => `... on ${type} { upstreamCode upstreamMessage }`).join('\n    ')} } } }`;

describe('a code of the service is told as', () => {
  test.each(cases)('%s: %s, executed %s', async (code, fault, executed) => {
    await gateway.resetCalls();
    await gateway.admin('POST', '/faults', { fault: 'code', action: 'syncfromregistry', code });

    const { data, errors } = await gateway.query(document);

    // Whatever is not certain has one code; why it is not stands in its sentence.
    const isCertain = executed === 'NO';
    const told = isCertain ? fault : 'OUTCOME_UNKNOWN';
    const type = memberOf[told];
    const next = isCertain
      ? ''
      : ' Whether the domain was synchronised is not known. Send it again, which does no harm.';
    const { message, retryable } = faults[fault];
    const details = 'There are no additional details';
    expect(errors).toBeUndefined();
    expect(data.syncDomain.errors).toEqual([
      {
        __typename: type,
        code: told,
        message: expect.toBeOneOf([
          `${message}${next}`,
          `${message.slice(0, -1)}: ${details}.${next}`,
        ]),
        path: [],
        executed,
        retryable: retryable || !isCertain,
        ...(telling.includes(type) && { upstreamCode: code, upstreamMessage: details }),
      },
    ]);
    expect(await gateway.countCalls()).toEqual({ syncfromregistry: 1 });
  });
});

test('every type that a code of the service can have tells that code', () => {
  const told = new Set(
    cases.map(([, fault, executed]) => memberOf[executed === 'NO' ? fault : 'OUTCOME_UNKNOWN']),
  );

  expect([...told].filter((type) => !telling.includes(type))).toEqual([]);
});
