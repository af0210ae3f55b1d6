import { afterAll, describe, expect, test } from 'vitest';
import { faults } from '../../src/kernel/faults.ts';
import { startTestGateway } from '../support/gateway.ts';
import { listedCodes } from '../support/upstream/code-facts.ts';
import { typeOf } from './types.ts';

const gateway = await startTestGateway({ sandboxDomains: 40 });
afterAll(() => gateway.close());

/** Faults of the codes of `syncfromregistry`. An unlisted code is a refusal, of which only a read could show that it is true. */
const cases = [
  ...listedCodes,
  ...['API_999_ERROR', 'API_2999_ERROR', 'SOMETHING_NEW'].map(
    (code) => [code, 'UPSTREAM_REJECTED', 'UNKNOWN'] as const,
  ),
];

const document = `mutation { syncDomain(input: { domain: "unlocked-demo.com" }) {
  errors { __typename code message path executed retryable upstreamCode upstreamMessage } } }`;

/** Refusals that can be about nothing but the domain of a synchronisation. */
const aboutTheDomain: ReadonlySet<string> = new Set([
  'NOT_FOUND',
  'NOT_OWNED',
  'NOT_ELIGIBLE',
  'LOCKED',
]);

describe('an upstream code is reported as', { tags: ['R10', 'R11', 'G15', 'G18'] }, () => {
  test.each(cases)('%s: %s, executed %s', async (code, fault, executed) => {
    await gateway.resetCalls();
    await gateway.admin('POST', '/faults', { fault: 'code', action: 'syncfromregistry', code });

    const { data, errors } = await gateway.query(document);

    // An uncertain outcome has one code; its sentence has the reason.
    const isCertain = executed === 'NO' || fault === 'UPSTREAM_REJECTED';
    const reported = isCertain ? fault : 'OUTCOME_UNKNOWN';
    const next = isCertain
      ? ''
      : ' Whether the domain was synchronised is unknown. Send it again: repeating a sync is safe.';
    const { message, retryable } = faults[fault];
    expect(errors).toBeUndefined();
    expect(data.syncDomain.errors).toEqual([
      {
        __typename: typeOf(reported),
        code: reported,
        message: reported === 'NOT_FOUND' ? 'The account has no such domain.' : `${message}${next}`,
        path: aboutTheDomain.has(reported) ? ['input', 'domain'] : null,
        executed,
        retryable: retryable || !isCertain,
        upstreamCode: code,
        upstreamMessage: null,
      },
    ]);
    expect(await gateway.countCalls()).toEqual({ syncfromregistry: 1 });
  });
});
