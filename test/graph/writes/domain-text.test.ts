import { afterAll, beforeEach, expect, test } from 'vitest';
import { ada } from '../../support/ada.ts';
import { startTestGateway } from '../../support/gateway.ts';
import { transferCode } from '../purchases/shop.ts';
import { documentOf, mutate } from './mutate.ts';

const gateway = await startTestGateway({ sandboxDomains: 40 });
afterAll(() => gateway.close());
beforeEach(() => gateway.resetCalls());

const nameServers = ['ns1.hosts.net', 'ns2.hosts.net'];

test.each<[string, object]>([
  ['registerDomain', { nameServers, registrant: ada }],
  ['transferDomain', { authCode: transferCode }],
  ['setNameServers', { nameServers }],
  ['addChildNameServer', { nameServer: 'ns1.hosts.net', ipAddress: '8.8.8.8' }],
  ['disableTransferLock', {}],
  ['setPrivacyProtection', { enabled: true }],
  ['syncDomain', {}],
])(
  '%s returns an error for an invalid domain name, before an upstream call',
  async (name, input) => {
    // A purchase has no alias.
    const document = documentOf(name).replace('it: ', '');
    const { data } = await gateway.query(document, { input: { domain: 'a b.com', ...input } });

    expect(data[name].errors).toEqual([
      {
        __typename: 'InvalidInput',
        code: 'INVALID_INPUT',
        message: '"a b.com" contains blanks or invisible characters; a domain name has none.',
        path: ['input', 'domain'],
        executed: 'NO',
        retryable: false,
      },
    ]);
    expect(await gateway.countCalls()).toEqual({});
  },
);

test('all invalid texts of one input are reported, each with its path', {
  tags: ['G14'],
}, async () => {
  const input = { domain: 'a..com', nameServer: 'ns1', ipAddress: '8.8.8.8/24' };
  const { errors } = await mutate(gateway, 'addChildNameServer', input);

  expect(errors.map(({ path }: { path: readonly string[] }) => path.join('.'))).toEqual([
    'input.domain',
    'input.nameServer',
    'input.ipAddress',
  ]);
});
