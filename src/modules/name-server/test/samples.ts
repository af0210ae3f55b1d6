import type { Samples } from '../../../../test/samples/sample.ts';
import { domainFields, hosts, ofDomain, otherHosts } from '../../../../test/samples/shared.ts';

const nameServers = ['b.hosts.net', 'a.hosts.net'];
const child = `${ofDomain('addChildNameServer', ', nameServer: "ns7.reseller-demo.com", ipAddress: "192.5.6.31"')} { childNameServer { name } }`;
const address = '8.8.8.8';

export const samples: Samples = {
  'Mutation.setNameServers': {
    calls: '1 `modifynameserver`',
    exceptions:
      'reply lost: 1 `getdetails`; where that does not show the change, 1 more `modifynameserver`, and 1 more `getdetails` when that reply is lost too. Refused as `LOCKED`: 1 `getdetails` for the status',
    costs: {
      [`${ofDomain('setNameServers', ', nameServers: ["one.example.com", "one.example.net"]')} { nameServers }`]:
        { modifynameserver: 1 },
    },
    args: ({ name }) => ({ input: { domain: name, nameServers } }),
    select: `nameServers domain { ${domainFields} }`,
    customers: 'own',
    write: {
      action: 'modifynameserver',
      lost: 'verified',
      select: 'nameServers',
      shows: () => ({ nameServers }),
      stored: () => ({ nameServers }),
    },
    inputs: {
      SetNameServersInput: {
        select: '',
        base: { domain: 'private-demo.net', nameServers: hosts },
        fields: { domain: 'unlocked-demo.com', nameServers: otherHosts },
      },
    },
  },
  'Mutation.addChildNameServer': {
    calls: '1 `addchildnameserver`',
    exceptions: '1 `getdetails` when the host exists already; lost replies as for `setNameServers`',
    costs: {
      [child]: { counts: { addchildnameserver: 1 }, estimate: 2 },
      [`again: ${child}`]: { addchildnameserver: 1, getdetails: 1 },
      'addChildNameServer(input: { domain: "a.com" nameServer: "ns1.a.com" ipAddress: "8.8.8.8" }) { domain { name } }': 2,
    },

    args: ({ name }) => ({
      input: { domain: name, nameServer: `ns1.${name}`, ipAddress: address },
    }),
    select: `childNameServer { name } domain { ${domainFields} }`,
    customers: 'own',
    write: {
      action: 'addchildnameserver',
      lost: 'verified',
      select: 'childNameServer { name addresses }',
      shows: ({ name }) => ({ childNameServer: { name: `ns1.${name}`, addresses: [address] } }),
      stored: ({ name }) => ({ glue: [{ ns: `ns1.${name}`, ip: address }] }),
    },
    inputs: {
      AddChildNameServerInput: {
        select: '',
        base: {
          domain: 'reseller-demo.com',
          nameServer: '$.reseller-demo.com',
          ipAddress: address,
        },
        fields: {
          ...{ domain: 'unlocked-demo.com', nameServer: 'b.reseller-demo.com' },
          ipAddress: '192.5.6.32',
        },
      },
    },
  },
};
