import { mayAny } from '../../kernel/caller.ts';
import { mutation, type PayloadFieldBuilder } from '../../modules/mutation/schema.ts';
import { costsStored, PurchaseRef } from '../../modules/purchase/schema.ts';
import { type PurchaseRecord, purchases } from '../../modules/purchase/service.ts';
import { type LookupInput, LookupInputRef, lookupName, lookupOf } from '../../schema/arguments.ts';
import { builder, enumRef } from '../../schema/builder.ts';
import { costs, costsEach, neverLimited } from '../../schema/cost.ts';
import { nullableFields, requiredFields, requiredInputs } from '../../schema/fields.ts';
import type { Scope } from '../../scope/scope.ts';
import { resolutions } from './resolution-service.ts';
import type { Resolution, ResolvedOutcome } from './resolution-table.ts';

const ResolvedOutcomeRef = enumRef<ResolvedOutcome>(
  'ResolvedOutcome',
  'What a person found at the registrar.',
  {
    BOUGHT: 'The registrar made the purchase. It becomes `SUCCEEDED`.',
    NOT_BOUGHT: 'The registrar did not make the purchase. It becomes `FAILED`.',
  },
);

const PurchaseResolutionRef = builder.objectRef<Resolution>('PurchaseResolution').implement({
  description: 'How a person ended a purchase whose outcome reads could not determine.',
  fields: (t) => ({
    ...requiredFields(t, ResolvedOutcomeRef, { outcome: 'What the person found.' }),
    ...requiredFields(t, 'String', { note: 'What the person wrote about it.' }),
    by: t.string({
      description:
        'Name of the API key or token of the person. Null without the scope `ops`, and when the gateway requires no credential.',
      resolve: ({ by }, _args, { caller }) => (mayAny(caller, ['ops']) ? by : null),
    }),
    ...requiredFields(t, 'DateTime', { at: 'Time of the decision.' }),
  }),
});

builder.objectField(PurchaseRef, 'resolution', (t) =>
  t.field({
    type: PurchaseResolutionRef,
    description:
      'How a person ended the purchase with `resolvePurchase`; null when none did. Calls: none.',
    extensions: costs((count, _args, above) => ({
      owners: costsEach(count, above, 'resolutions'),
    })),
    resolve: (purchase, _args, { use }) => use(resolutions).of(purchase),
  }),
);

mutation('resolvePurchase', {
  needs: 'ops',
  description:
    'Ends a purchase that is `UNKNOWN`, after a person has looked for the domain and the charge at the registrar. The gateway believes the person: it reads nothing. A resolution is final; the same outcome again returns the same purchase. After `NOT_BOUGHT` the purchase no longer counts for spend limits, and the domain can be bought with a new one. Calls: none.',
  extensions: {
    ...neverLimited,
    ...costs((count, { input }: { input: { purchase: LookupInput } }) =>
      costsStored(count, `purchase ${lookupName(input.purchase)}`),
    ),
    recordedDomains: ({ purchase }: { readonly purchase: LookupInput }, { use }: Scope) =>
      use(purchases).domainOf(lookupOf('Purchase', purchase)),
  },
  input: {
    description: 'What a person found about a purchase.',
    fields: (t) => ({
      ...requiredInputs(t, LookupInputRef, {
        purchase: 'The id or the idempotency key of the purchase.',
      }),
      ...requiredInputs(t, ResolvedOutcomeRef, { outcome: 'What the person found.' }),
      ...requiredInputs(t, 'String', {
        note: 'Why, in 1 to 500 printable characters. Everyone who reads the purchase reads it.',
      }),
    }),
  },
  result: 'Result of the resolution of a purchase.',
  payload: (t: PayloadFieldBuilder<{ purchase: PurchaseRecord }>) =>
    nullableFields(t, PurchaseRef, {
      purchase: 'The purchase; null when it was not resolved so.',
    }),
  resolve: ({ purchase, ...found }, { use }) =>
    use(resolutions).resolve({ ...found, by: lookupOf('Purchase', purchase) }),
});
