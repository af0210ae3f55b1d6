import type { NestedCosts, Samples } from '../../../../test/samples/sample.ts';
import { domainFields, ofDomain } from '../../../../test/samples/shared.ts';

const sync = ofDomain('syncDomain');

export const samples: Samples = {
  'Mutation.syncDomain': {
    calls: '1 `syncfromregistry`',
    costs: {
      [`${sync} { registry { status nameServers } }`]: { syncfromregistry: 1 },
      [`${sync} { drift { field } }`]: 2,
    },

    args: ({ name }) => ({ input: { domain: name } }),
    select: `domain { ${domainFields} } changes { field } drift { field }`,
    customers: 'own',
    write: {
      action: 'syncfromregistry',
      lost: 'unknown',
      retryable: true,
      nextStep: 'Send it again: repeating a sync is safe.',
    },
    inputs: {
      DomainInput: {
        select: '',
        base: { domain: 'reseller-demo.com' },
        fields: { domain: 'unlocked-demo.com' },
      },
    },
  },
};

export const nestedCosts: NestedCosts = {
  'SyncDomainPayload.changes': {
    calls: '1 `getdetails` before the write, 1 after it',
    costs: {
      [`${sync} { changes { field } drift { field } domain { name } }`]: {
        syncfromregistry: 1,
        getdetails: 2,
      },
    },
    exceptions: 'the second one is shared with `domain`',
  },
  'SyncDomainPayload.drift': {
    calls: '1 `getdetails`, shared with `domain`',
    costs: {
      [`${sync} { drift { field } domain { name } }`]: { syncfromregistry: 1, getdetails: 1 },
    },
  },
};
