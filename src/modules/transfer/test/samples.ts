import type { Samples } from '../../../../test/samples/sample.ts';
import {
  bought,
  freeLimits,
  transfer as outside,
  purchasePayload,
} from '../../../../test/samples/shared.ts';

const transfer = (selection: string, more = '') =>
  `transferDomain(input: { domain: "outside-shop.com", authCode: "Transfer-Code-01" ${more} }) { ${selection} }`;
const dryRun = ', dryRun: true';

export const samples: Samples = {
  'Mutation.transferDomain': {
    calls:
      '1 `tldlist`, 1 `resellerdetails`, 1 `singlecheckavailability`, 2 `getdetails`, 1 `transferdomain`',
    exceptions: 'as `registerDomain`; a dry run makes 1 `getdetails`',
    costs: {
      [`${transfer('quote { highest { amount } }', dryRun)}`]: { ...bought, getdetails: 1 },
      [transfer('purchase { state }')]: {
        counts: { ...bought, getdetails: 2, transferdomain: 1 },
        estimate: 7,
      },
      [transfer('domain { name }')]: 7,
    },

    args: ({ name }) => ({
      input: {
        ...{ domain: name, authCode: 'No-Such-Code-1', dryRun: true },
        ...{ idempotencyKey: 'bolt-key' },
      },
    }),
    select: purchasePayload,
    customers: 'own',
    write: { action: 'transferdomain', lost: 'settled' },
    inputs: {
      TransferDomainInput: {
        base: { ...outside, idempotencyKey: 'key-$' },
        fields: {
          ...{ ...freeLimits, domain: 'outside-other-$.co.uk', authCode: 'Wrong', period: 2 },
          ...{ customer: 'acme', dryRun: true, idempotencyKey: 'other-$' },
        },
      },
    },
  },
};
