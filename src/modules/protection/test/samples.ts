import type { Samples } from '../../../../test/samples/sample.ts';
import { contacts, domainFields, ofDomain } from '../../../../test/samples/shared.ts';

export const samples: Samples = {
  'Mutation.disableTransferLock': {
    calls: '1 `disabletheftlock`',
    costs: {
      [`${ofDomain('disableTransferLock')} { transferLocked }`]: { disabletheftlock: 1 },
      [`${ofDomain('disableTransferLock')} { domain { ${contacts('email')} } }`]: 3,
    },
    exceptions: 'lost replies as for `setNameServers`',

    args: ({ name }) => ({ input: { domain: name } }),
    select: `domain { ${domainFields} }`,
    customers: 'own',
    write: {
      action: 'disabletheftlock',
      lost: 'verified',
      select: 'transferLocked',
      shows: () => ({ transferLocked: false }),
      stored: () => ({ locked: false }),
    },
  },
  'Mutation.setPrivacyProtection': {
    calls: '1 `modifyprivacystatus`',
    costs: {
      [`${ofDomain('setPrivacyProtection', ', privacyProtected: true')} { privacyProtected }`]: {
        modifyprivacystatus: 1,
      },
      [`${ofDomain('setPrivacyProtection', 'privacyProtected: true')} { domain { name } }`]: 2,
    },
    exceptions: 'lost replies as for `setNameServers`',

    args: ({ name }) => ({ input: { domain: name, privacyProtected: true } }),
    select: `domain { ${domainFields} }`,
    customers: 'own',
    write: {
      action: 'modifyprivacystatus',
      lost: 'verified',
      select: 'privacyProtected',
      shows: () => ({ privacyProtected: true }),
      stored: () => ({ privacy: true }),
    },
    inputs: {
      SetPrivacyProtectionInput: {
        select: '',
        base: { domain: 'reseller-demo.com', privacyProtected: true },
        fields: { domain: 'unlocked-demo.com', privacyProtected: false, reason: 'Because.' },
      },
    },
  },
};
