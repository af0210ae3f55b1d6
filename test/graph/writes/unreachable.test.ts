import { afterAll, expect, test } from 'vitest';
import { startTestGateway } from '../../support/gateway.ts';
import { mutate } from './mutate.ts';

/** No server listens on the discard port. */
const nowhere = 'http://127.0.0.1:9';
const gateway = await startTestGateway({
  env: { DOMAIN_API_URL: `${nowhere}/domain-api`, ACCOUNT_API_URL: `${nowhere}/account-api` },
});
afterAll(() => gateway.close());

const domain = 'unlocked-demo.com';

test.each([
  ['setNameServers', { domain, nameServers: ['a.hosts.net', 'b.hosts.net'] }],
  ['addChildNameServer', { domain, nameServer: `ns1.${domain}`, ipAddress: '8.8.8.8' }],
  ['disableTransferLock', { domain }],
  ['setPrivacyProtection', { domain, enabled: true }],
  ['syncDomain', { domain }],
  [
    'createCart',
    { items: [{ description: 'x', quantity: '1', unitPrice: '1', productType: 'y' }] },
  ],
  ['updateHostingGroup', { id: 'hg_demo_1', name: 'New' }],
  ['deleteHostingGroup', { confirm: true }],
  ['deleteLogs', { confirm: true }],
])('%s reports executed NO when the upstream cannot be reached', async (name, input) => {
  const { errors } = await mutate(gateway, name, input);

  expect(errors).toEqual([
    {
      __typename: 'UpstreamUnavailable',
      code: 'UPSTREAM_UNAVAILABLE',
      message: 'The registrar is not available now.',
      path: [],
      executed: 'NO',
      retryable: true,
    },
  ]);
});

test('an unreachable upstream is not logged as a bug', () => {
  expect(gateway.lines).toEqual([]);
});
