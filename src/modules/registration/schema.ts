import { domainField } from '../../schema/arguments.ts';
import { mutation } from '../mutation/schema.ts';
import { runPurchase } from '../purchase/flow.ts';
import {
  flag,
  guards,
  periodField,
  purchase,
  PurchasePayloadRef,
  reads,
} from '../purchase/input-schema.ts';
import { purchasing } from '../purchase/parts.ts';
import { registerOperation } from './register.ts';
import { valueFields } from './values-schema.ts';

mutation('registerDomain', {
  needs: 'domains:spend',
  description: `Registers a domain. Checks with ${reads}, \`singlecheckavailability\` and \`getdetails\`. Then sends one \`registerdomain\`, and never a second. When the reply is lost, one more \`getdetails\` verifies the outcome.`,
  extensions: purchase(3),
  input: {
    argument: 'The registration.',
    description: 'Domain, contacts, options and limits of a registration.',
    fields: (t) => ({
      domain: domainField(t, 'The domain to register'),
      ...periodField(t),
      ...valueFields(t, ''),
      acceptPremium: flag(t, false, 'Whether a premium name may be bought at its premium price.'),
      ...guards(t),
    }),
  },
  result: PurchasePayloadRef,
  resolve: (input, { use }) => runPurchase(use(purchasing), registerOperation, input),
});
