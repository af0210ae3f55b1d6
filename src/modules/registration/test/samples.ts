import { bought, contacts, registration, settled } from '../../../../test/samples/documents.ts';
import type { Samples } from '../../../../test/samples/sample.ts';
import { ada } from '../../../../test/support/ada.ts';

const ofMaple = (selection: string, more = '') =>
  registration('maple-orchard.com', selection, more);
const sent = { ...bought, registerdomain: 1 };

export const samples: Samples = {
  'Mutation.registerDomain': {
    calls:
      '1 `tldlist`, 1 `resellerdetails`, 1 `singlecheckavailability`, 1 `getdetails`, 1 `registerdomain`',
    exceptions:
      '1 more `getdetails` when the reply was lost. A dry run makes the first three, and 1 `getdetails` when the name is taken. A known idempotency key makes none',
    measured: [
      {
        document: `mutation { ${registration('maple-harbor.com', 'purchase { state }')} }`,
        counts: { ...sent, getdetails: 1 },
        counted: 6,
      },
      {
        document: `mutation { ${registration('lost-answer-harbor.com', 'purchase { state }')} }`,
        counts: { ...sent, getdetails: 2 },
      },
      {
        document: `mutation { ${ofMaple('quote { highest { amount } }', ', dryRun: true')} }`,
        counts: bought,
      },
      { before: settled('cost-4'), document: settled('cost-4'), counts: {}, counted: 6 },
    ],
    estimates: {
      [ofMaple('domain { name }')]: 6,
      [ofMaple('domain { name }', 'dryRun: true')]: 3,
      [ofMaple(`domain { ${contacts('email')} }`)]: 7,
      [ofMaple(`purchase { domain { ${contacts('email')} } }`)]: 7,
    },
    args: ({ name }) => ({
      input: {
        ...{ domain: name, nameServers: ['ns1.example-dns.net', 'ns2.example-dns.net'] },
        ...{ registrant: { fields: ada }, idempotencyKey: 'bolt-key' },
      },
    }),
    select: 'purchase { id } keyUsed replayed',
    customers: 'own',
    write: { action: 'registerdomain', lost: 'settled' },
  },
};
