import { domainField } from '../../schema/arguments.ts';
import type { InputFieldBuilder } from '../../schema/builder.ts';
import { optionalInputs, requiredInputs } from '../../schema/fields.ts';
import { mutation } from '../mutation/schema.ts';
import { runPurchase } from '../purchase/flow.ts';
import { guards, PurchasePayloadRef, purchase, reads } from '../purchase/input-schema.ts';
import { purchasing } from '../purchase/parts.ts';
import { transferOperation } from './transfer.ts';

/** The upstream has no call that checks these. */
export const notChecked =
  'Not checked before the transfer is sent: the transfer lock, whether the domain was registered or transferred within the last 60 days, the auth code, and whether the domain is registered when that check fails.';

export const notCheckedText =
  'What the registrar checks only when the transfer is sent, in one sentence for a person';

export const transferPeriodField = (t: InputFieldBuilder) =>
  optionalInputs(t, 'Int', {
    period:
      'Number of years to pay for: one that the price list has for transfers, or 1 to `maxPeriod` of the TLD. 0 where the list has a price for 0 years. Default: the shortest period that is listed for transfers, or 1. Most registries add one year, whatever the period is.',
  });

mutation('transferDomain', {
  needs: 'domains:spend',
  description: `Transfers a domain into the account. A transfer takes several days and cannot be cancelled here. Checks with ${reads}, \`getdetails\` and \`singlecheckavailability\`. Then sends one \`transferdomain\`, and never a second. When the reply is lost, one more \`getdetails\` verifies the outcome.`,
  extensions: purchase(4),
  input: {
    argument: 'The transfer.',
    description: 'Domain, auth code and limits of a transfer into the account.',
    fields: (t) => ({
      domain: domainField(t, 'The domain to transfer'),
      ...requiredInputs(t, 'String', {
        authCode: 'Auth code (EPP code) from the current registrar. A secret.',
      }),
      ...transferPeriodField(t),
      ...guards(t),
    }),
  },
  result: PurchasePayloadRef,
  async resolve(input, { use }) {
    const payload = await runPurchase(use(purchasing), transferOperation, input);
    return { ...payload, notChecked: payload.purchase ? null : notChecked };
  },
});
