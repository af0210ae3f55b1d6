import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { domainWritesOf, writesOf } from '../../samples/writes.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { createGatewayClock } from '../../support/gateway-clock.ts';
import { errors, mutate } from './mutate.ts';

const time = createGatewayClock();
const gateway = time.withTime(await startTestGateway({ sandboxDomains: 60, clock: time.clock }));
afterAll(() => gateway.close());
beforeEach(() => gateway.resetCalls());
afterEach(() => gateway.admin('DELETE', '/faults'));

const domain = 'unlocked-demo.com';

/** Writes that the gateway sends once. */
const onceOnly = writesOf('unknown').map(({ write, name, action, input }) => ({
  ...{ name, action, input: input(domain) },
  ...{ retryable: write.retryable, nextStep: write.nextStep },
}));

const arm = (action: string, fault: string, more: object = {}) =>
  gateway.admin('POST', '/faults', { fault, action, ...more });

async function errorsOf(name: string, input: object | null) {
  if (input) return (await mutate(gateway, name, input)).errors;
  const { token } = (await gateway.admin('POST', '/tokens', { user: 'other' })) as {
    token: string;
  };
  const headers = { authorization: `Bearer ${token}` };
  return (await gateway.query(`mutation { it: ${name} { ${errors} } }`, {}, headers)).data.it
    .errors;
}

/** The reply to deleteLogs has no body that can be truncated. */
const passesBy = (fault: string, name: string) => `${fault} ${name}` === 'cut deleteLogs';

describe.each([
  ['gateway', 'The registrar is not available now.'],
  ['cut', 'The registrar sent a response that the gateway does not expect.'],
  ['busy', 'Too many requests; try again later.'],
  ['reset', 'The registrar is not available now.'],
  ['lost-answer', 'The registrar is not available now.'],
])('a write that fails with %s', (fault, reason) => {
  test.each(onceOnly.filter(({ name }) => !passesBy(fault, name)))(
    '$name has an unknown outcome with a next step, and $action is sent once',
    async ({ name, action, input, retryable, nextStep }) => {
      await arm(action, fault);

      const problems = await errorsOf(name, input);

      expect(problems).toEqual([
        {
          ...{ __typename: 'OutcomeUnknown', code: 'OUTCOME_UNKNOWN', path: null },
          message: expect.stringMatching(/^.+ is unknown(, and .+)?\. .+$/),
          ...{ executed: 'UNKNOWN', retryable },
        },
      ]);
      expect(problems[0].message.startsWith(`${reason} `)).toBe(true);
      expect(problems[0].message.endsWith(nextStep)).toBe(true);
      expect(await gateway.countCalls()).toEqual({ [action]: 1 });
    },
  );
});

test('a write that hangs ends after three times the timeout of a read, and is sent once', async () => {
  // The faults above lowered the concurrency limit, and a call that waits in the queue is not sent.
  await gateway.restart();
  for (const { action } of onceOnly) await arm(action, 'hang');

  const results = await Promise.all(onceOnly.map(({ name, input }) => errorsOf(name, input)));

  for (const problems of results) {
    expect(problems).toMatchObject([{ code: 'OUTCOME_UNKNOWN', executed: 'UNKNOWN' }]);
    expect(problems[0].message).toMatch(/^The registrar did not respond in time\. /);
  }
  expect(await gateway.countCalls()).toEqual(
    Object.fromEntries(onceOnly.map(({ action }) => [action, 1])),
  );
});

test('Retry-After of the upstream is returned as retryAfterMs', async () => {
  await arm('syncfromregistry', 'busy', { ms: 7_000 });

  const { data } = await gateway.query(`mutation { syncDomain(input: { domain: "${domain}" }) {
    errors { code ... on OutcomeUnknown { retryAfterMs purchase { id } } } } }`);

  expect(data.syncDomain.errors).toEqual([
    { code: 'OUTCOME_UNKNOWN', retryAfterMs: 7_000, purchase: null },
  ]);
});

test('the other mutations of the document are executed', async () => {
  await arm('syncfromregistry', 'gateway');

  const { data, errors: beside } = await gateway.query(`mutation {
    one: setPrivacyProtection(input: { domain: "${domain}", privacyProtected: true }) { privacyProtected ${errors} }
    two: syncDomain(input: { domain: "${domain}" }) { domain { name } ${errors} }
    three: setPrivacyProtection(input: { domain: "${domain}", privacyProtected: false }) { privacyProtected ${errors} }
  }`);

  expect(beside).toBeUndefined();
  expect(data).toMatchObject({
    one: { privacyProtected: true, errors: [] },
    two: { domain: null, errors: [{ code: 'OUTCOME_UNKNOWN', executed: 'UNKNOWN' }] },
    three: { privacyProtected: false, errors: [] },
  });
});

const writes = domainWritesOf('verified', 'repeated', 'unknown');

test.each(['html', 'wrongtypes', 'maps'])(
  'a damaged reply (%s) is a success, after one call',
  async (fault) => {
    await gateway.admin('POST', '/reset', {});
    for (const { action } of writes) await arm(action, fault);

    for (const { name, input } of writes) expect(await errorsOf(name, input(domain))).toEqual([]);

    expect(await gateway.countCalls()).toEqual(
      Object.fromEntries(writes.map(({ action }) => [action, 1])),
    );
  },
);

describe('an upstream that cannot be reached', () => {
  /** No server listens on the discard port. */
  const nowhere = 'http://127.0.0.1:9';
  let lost: TestGateway;
  beforeAll(async () => {
    const env = {
      DOMAIN_API_URL: `${nowhere}/domain-api`,
      ACCOUNT_API_URL: `${nowhere}/account-api`,
    };
    lost = time.withTime(await startTestGateway({ env, clock: time.clock }));
  });
  afterAll(() => lost.close());

  test.each(writesOf('verified', 'repeated', 'unknown').filter(({ input }) => input(domain)))(
    'is executed NO for $name, and not logged as a bug',
    async ({ name, input }) => {
      expect((await mutate(lost, name, input(domain))).errors).toEqual([
        {
          ...{ __typename: 'PlainError', code: 'UPSTREAM_UNAVAILABLE', path: null },
          message: 'The registrar is not available now.',
          ...{ executed: 'NO', retryable: true },
        },
      ]);
      expect(lost.lines).toEqual([]);
    },
  );
});
