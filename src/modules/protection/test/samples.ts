import { measuredOnce, type Samples } from '../../../../test/samples/sample.ts';
import { contacts, domainFields, ofDomain } from '../../../../test/samples/shared.ts';

export const samples: Samples = {
  'Mutation.disableTransferLock': {
    ...measuredOnce(
      '1 `disabletheftlock`',
      `mutation { ${ofDomain('disableTransferLock')} { transferLocked } }`,
      { disabletheftlock: 1 },
    ),
    exceptions: 'lost replies as for `setNameServers`',
    estimates: { [`${ofDomain('disableTransferLock')} { domain { ${contacts('email')} } }`]: 3 },
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
    ...measuredOnce(
      '1 `modifyprivacystatus`',
      `mutation { ${ofDomain('setPrivacyProtection', ', privacyProtected: true')} { privacyProtected } }`,
      { modifyprivacystatus: 1 },
    ),
    exceptions: 'lost replies as for `setNameServers`',
    estimates: {
      [`${ofDomain('setPrivacyProtection', 'privacyProtected: true')} { domain { name } }`]: 2,
    },
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
