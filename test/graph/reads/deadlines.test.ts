import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { type GraphQLResponse, startTestGateway } from '../../support/gateway.ts';
import { createGatewayClock } from '../../support/gateway-clock.ts';
import { aliased, arm, errorFacts } from './reads.ts';

const timeoutMs = 400;
/** For the window of a batch. */
const windowMs = 10;

const time = createGatewayClock();
const env = { UPSTREAM_TIMEOUT_MS: String(timeoutMs) };
const gateway = time.withTime(
  await startTestGateway({ sandboxDomains: 60, env, clock: time.clock }),
);
afterAll(() => gateway.close());
beforeEach(() => gateway.resetCalls());
afterEach(() => gateway.admin('DELETE', '/faults'));

async function timed(document: string): Promise<GraphQLResponse & { readonly ms: number }> {
  const startedMs = time.clock.monotonicMs();
  const response = await gateway.query(document);
  return { ...response, ms: time.clock.monotonicMs() - startedMs };
}

const late = (...path: (string | number)[]) => ({
  path,
  message: 'The registrar did not respond in time.',
  code: 'UPSTREAM_TIMEOUT',
  retryable: true,
  executed: 'NO',
});

test('names are UNKNOWN within the deadline when bulk and single checks hang', async () => {
  await arm(gateway, 'hang', 'bulkcheckavailability');
  await arm(gateway, 'hang', 'singlecheckavailability');

  const { data, errors, ms } = await timed(`{
    availabilities(names: ["free-a.com", "free-b.com"]) { state errorCode retryable }
    reseller { name }
  }`);

  expect(errors).toBeUndefined();
  const unknown = { state: 'UNKNOWN', errorCode: 'UPSTREAM_TIMEOUT', retryable: true };
  expect(data).toEqual({
    availabilities: [unknown, unknown],
    reseller: { name: 'Demo Reseller' },
  });
  expect(ms).toBeLessThanOrEqual(timeoutMs + 2_000 + windowMs);
  expect(await gateway.countCalls()).toEqual({
    bulkcheckavailability: 1,
    singlecheckavailability: 2,
    resellerdetails: 1,
  });
});

test('a slow getcontacts fails the contact fields of its domain only, for each kind of slowness', async () => {
  const slow = { hang: 'private-demo.net', drip: 'unlocked-demo.com', slow: 'lowercase-demo.org' };
  for (const [fault, domain] of Object.entries(slow)) {
    await arm(gateway, fault, 'getcontacts', { domain });
  }
  const names = [...Object.values(slow), 'expiring-demo.com'];

  const { data, errors, ms } = await timed(
    `{ ${aliased('domain', names, '{ contacts { registrant { role firstName } } }')} }`,
  );

  const registrant = (firstName: string | null) => ({
    contacts: { registrant: { role: 'REGISTRANT', firstName } },
  });
  expect(Object.values(data)).toEqual([null, null, null, 'Ada'].map(registrant));
  expect(errors.map(errorFacts)).toEqual(
    expect.arrayContaining(
      ['a0', 'a1', 'a2'].map((alias) => late(alias, 'contacts', 'registrant', 'firstName')),
    ),
  );
  expect(errors).toHaveLength(3);
  expect(ms).toBeLessThanOrEqual(timeoutMs + windowMs);
});

test('a tldlist that hangs fails the TLD fields only', async () => {
  await arm(gateway, 'hang', 'tldlist');

  const { data, errors, ms } = await timed(
    '{ domain(name: "private-demo.net") { name tld { name } } tld(name: "com") { name } }',
  );

  expect(data).toEqual({ domain: { name: 'private-demo.net', tld: null }, tld: null });
  expect(errors.map(errorFacts)).toEqual(
    expect.arrayContaining([late('domain', 'tld'), late('tld')]),
  );
  expect(ms).toBeLessThanOrEqual(2 * timeoutMs + windowMs);
});

test('a getdetails that hangs is an error, not an absent domain', async () => {
  await arm(gateway, 'hang', 'getdetails', { domain: 'private-demo.net' });

  const { data, errors, ms } = await timed(
    '{ domainsByName(names: ["unlocked-demo.com", "private-demo.net", "absent.com"]) { name } }',
  );

  expect(data).toEqual({ domainsByName: [{ name: 'unlocked-demo.com' }, null, null] });
  expect(errors.map(errorFacts)).toEqual([late('domainsByName', 1)]);
  expect(ms).toBeLessThanOrEqual(timeoutMs + windowMs);
});

test('a getdomainlist that hangs is replaced by getdetails calls with deadlines of their own', async () => {
  await arm(gateway, 'hang', 'getdomainlist');
  const names = ['private-demo.net', 'a-a.com', 'a-b.com', 'a-c.com', 'unlocked-demo.com'];

  const { data, errors, ms } = await timed(
    `{ domainsByName(names: ${JSON.stringify(names)}) { name } }`,
  );

  expect(errors).toBeUndefined();
  expect(data.domainsByName).toEqual([{ name: names[0] }, null, null, null, { name: names[4] }]);
  expect(ms).toBeLessThanOrEqual(2 * timeoutMs + windowMs);
});
