import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { unknownTarget } from '../../samples/all.ts';
import { domainWritesOf, writesOf } from '../../samples/writes.ts';
import { startTestGateway } from '../../support/gateway.ts';
import { documentOf, mutate, type Problem, rowOf } from './mutate.ts';

const gateway = await startTestGateway({ sandboxDomains: 60 });
afterAll(() => gateway.close());
beforeEach(() => gateway.resetCalls());

const domain = 'unlocked-demo.com';
const writes = domainWritesOf('verified', 'repeated', 'unknown');

describe.each(writes)('$name', ({ name, action, input }) => {
  test('without the payload domain is one call', async () => {
    expect((await mutate(gateway, name, input(domain))).errors).toEqual([]);

    expect(await gateway.countCalls()).toEqual({ [action]: 1 });
  });

  test('with the payload domain costs one further getdetails, whatever its fields', async () => {
    const fields = `domain { id status nameServers expiresAt transferLocked authCode additional { key }
      contacts { registrant { id upstreamId role } } } again: domain { name }`;
    const another = 'expiring-demo.com';

    const it = await mutate(gateway, name, input(another), fields);

    expect(it.again).toEqual({ name: another });
    expect(await gateway.countCalls()).toEqual({ [action]: 1, getdetails: 1 });
  });
});

describe.each(['others-locked-demo.com', 'not-registered.com'])(
  '%s, outside the account,',
  (other) => {
    test.each(writes)(
      'is NOT_FOUND for $name, after one call that changes nothing',
      async (write) => {
        const rows = () => gateway.admin('GET', `/domain?name=${other}`);
        const before = await rows();

        const it = await mutate(gateway, write.name, write.input(other), 'domain { name }');

        expect(it).toEqual({
          domain: null,
          errors: [
            {
              ...{ __typename: 'PlainError', code: 'NOT_FOUND', path: ['input', 'domain'] },
              ...{ message: 'The account has no such domain.', executed: 'NO', retryable: false },
            },
          ],
        });
        expect(await gateway.countCalls()).toEqual({ [write.action]: 1 });
        expect(await rows()).toEqual(before);
      },
    );
  },
);

test.each(writesOf('verified'))(
  '$name shows the change in its payload and in the sandbox',
  async ({ name, input, write }) => {
    const changed = 'expiring-soon-demo.net';
    const target = unknownTarget(changed);
    expect(await rowOf(gateway, changed)).not.toMatchObject(write.stored(target));

    const it = await mutate(gateway, name, input(changed), write.select);

    expect(it).toEqual({ ...write.shows(target), errors: [] });
    expect(await rowOf(gateway, changed)).toMatchObject(write.stored(target));
  },
);

describe('an invalid domain name', () => {
  test.each([...domainWritesOf('settled'), ...writes])(
    'is an error of $name, before an upstream call',
    async ({ name, input }) => {
      // A purchase has no alias.
      const document = documentOf(name).replace('it: ', '');
      const { data } = await gateway.query(document, {
        input: { ...input(domain), domain: 'a b.com' },
      });

      expect(data[name].errors).toEqual([
        {
          ...{ __typename: 'PlainError', code: 'INVALID_INPUT', path: ['input', 'domain'] },
          message: '"a b.com" contains blanks or invisible characters; a domain name has none.',
          ...{ executed: 'NO', retryable: false },
        },
      ]);
      expect(await gateway.countCalls()).toEqual({});
    },
  );

  test('is reported with all other invalid texts, each with its path', {
    tags: ['G14'],
  }, async () => {
    const input = { domain: 'a..com', nameServer: 'ns1', ipAddress: '8.8.8.8/24' };
    const { errors } = await mutate(gateway, 'addChildNameServer', input);

    expect(errors.map(({ path }: Problem) => path.join('.'))).toEqual([
      ...['input.domain', 'input.nameServer', 'input.ipAddress'],
    ]);
  });
});

test('mutations run in order, and each payload has the domain as it is after that mutation', async () => {
  const shown = 'domain { nameServers privacyProtected transferLocked }';
  const { data, errors } = await gateway.query(`mutation {
    before: setPrivacyProtection(input: { domain: "private-demo.net", privacyProtected: true }) { ${shown} }
    one: setNameServers(input: { domain: "private-demo.net", nameServers: ["a.hosts.net", "b.hosts.net"] }) { ${shown} }
    two: setNameServers(input: { domain: "private-demo.net", nameServers: ["b.hosts.net", "a.hosts.net"] }) { ${shown} }
    three: disableTransferLock(input: { domain: "private-demo.net" }) { ${shown} }
    four: setPrivacyProtection(input: { domain: "private-demo.net", privacyProtected: false }) { ${shown} }
  }`);

  expect(errors).toBeUndefined();
  const state = (hosts: readonly string[], privacyProtected: boolean, transferLocked: boolean) => ({
    domain: { nameServers: hosts, privacyProtected, transferLocked },
  });
  const [a, b] = ['a.hosts.net', 'b.hosts.net'];
  expect(data).toEqual({
    before: state(['ns1.example-dns.net', 'ns2.example-dns.net'], true, true),
    one: state([a, b], true, true),
    two: state([b, a], true, true),
    three: state([b, a], true, false),
    four: state([b, a], false, false),
  });
  const actions = ['modifyprivacystatus', 'modifynameserver', 'modifynameserver'];
  expect((await gateway.upstreamCalls()).map(({ action }) => action)).toEqual(
    [...actions, 'disabletheftlock', 'modifyprivacystatus'].flatMap((one) => [one, 'getdetails']),
  );
});

test('contacts are read again after a write', async () => {
  const contact = 'domain { contacts { registrant { firstName } } }';
  await gateway.query(`mutation {
    one: syncDomain(input: { domain: "${domain}" }) { ${contact} }
    two: syncDomain(input: { domain: "${domain}" }) { ${contact} }
  }`);

  expect(await gateway.countCalls()).toEqual({
    ...{ syncfromregistry: 2, getdetails: 2, getcontacts: 2 },
  });
});

test('a failed read of the payload domain does not affect the result of the write', async () => {
  const fault = { fault: 'code', action: 'getdetails', code: '101', times: 9 };
  await gateway.admin('POST', '/faults', fault);

  const response = await gateway.query(`mutation { it: setNameServers(input: { domain: "${domain}",
    nameServers: ["c.hosts.net", "d.hosts.net"] }) { nameServers domain { name } errors { code } } }`);
  await gateway.admin('DELETE', '/faults');

  expect(response.data.it).toEqual({
    ...{ nameServers: ['c.hosts.net', 'd.hosts.net'], domain: null, errors: [] },
  });
  expect(response.errors).toMatchObject([
    { path: ['it', 'domain'], extensions: { code: 'UPSTREAM_UNAVAILABLE', executed: 'NO' } },
  ]);
});
