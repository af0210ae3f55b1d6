import { GraphQLObjectType } from 'graphql';
import { afterAll, describe, expect, test } from 'vitest';
import { faults } from '../../src/kernel/faults.ts';
import { schema } from '../../src/modules/index.ts';
import { startTestGateway } from '../support/gateway.ts';
import { listedCodes } from '../upstream/code-facts.ts';
import { memberOf } from './members.ts';

const gateway = await startTestGateway({ sandboxDomains: 40 });
afterAll(() => gateway.close());

/** As `syncfromregistry` means them. Of codes that nobody listed nothing is certain. */
const cases = [
  ...listedCodes,
  ...['API_999_ERROR', 'API_2999_ERROR', 'SOMETHING_NEW'].map(
    (code) => [code, 'UPSTREAM_REJECTED', 'UNKNOWN'] as const,
  ),
];

/** The types that tell the service's own code. */
const telling = Object.values(schema.getTypeMap())
  .filter((type) => type instanceof GraphQLObjectType && 'upstreamCode' in type.getFields())
  .map(({ name }) => name);
const document = `mutation { syncDomain(input: { domain: "unlocked-demo.com" }) {
  errors { __typename code message path executed retryable
    ${telling.map((type) => `... on ${type} { upstreamCode upstreamMessage }`).join('\n    ')} } } }`;

/** Refusals that can be about nothing but the domain of a synchronisation. */
const aboutTheDomain: ReadonlySet<string> = new Set([
  'NOT_FOUND',
  'NOT_OWNED',
  'NOT_ELIGIBLE',
  'LOCKED',
]);

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
        message: told === 'NOT_FOUND' ? 'The account has no such domain.' : `${message}${next}`,
        path: aboutTheDomain.has(told) ? ['input', 'domain'] : [],
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
