import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { startProxiedSandbox } from './proxy.ts';
import { errorFields, operationFields, order } from './shop.ts';

let upstream: Awaited<ReturnType<typeof startProxiedSandbox>>;
let gateway: TestGateway;
beforeAll(async () => {
  upstream = await startProxiedSandbox();
  const env = { DOMAIN_API_URL: upstream.url, UPSTREAM_TIMEOUT_MS: '3000' };
  gateway = await startTestGateway({ env });
});
afterAll(async () => {
  await gateway?.close();
  await upstream?.close();
});

const register = async (domain: string) => {
  const { data } = await gateway.query(
    /* GraphQL */ `mutation ($input: RegisterDomainInput!) { registerDomain(input: $input) {
      purchase { ${operationFields} } errors { ${errorFields} } } }`,
    { input: order({ domain, idempotencyKey: domain }) },
  );
  return data.registerDomain;
};

test('a purchase is FAILED without a debit when the upstream cannot be reached for the call', async () => {
  upstream.closeAfter('resellerdetails');

  const made = await register('never-handed-over.com');

  expect(upstream.count('registerdomain')).toBe(0);
  const error = { __typename: 'PlainError', code: 'UPSTREAM_UNAVAILABLE', executed: 'NO' };
  expect(made.purchase).toMatchObject({ state: 'FAILED', errors: [error] });
  expect(made.errors).toMatchObject([error]);
});

test('an unreachable upstream causes no claim, and earlier purchases can be read', async () => {
  const { purchase, errors } = await register('no-listener.com');

  expect(purchase).toBeNull();
  expect(errors.length).toBeGreaterThan(0);
  for (const { code, executed } of errors) {
    expect([code, executed]).toEqual(['UPSTREAM_UNAVAILABLE', 'NO']);
  }
  const { data } = await gateway.query('{ purchases { nodes { domainName state } } }');
  expect(data.purchases.nodes).toEqual([{ domainName: 'never-handed-over.com', state: 'FAILED' }]);
});
