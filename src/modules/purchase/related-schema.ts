import { purchaseScopes } from '../../kernel/caller.ts';
import { builder, needs, type ObjectFieldBuilder } from '../../schema/builder.ts';
import { pageArgs } from '../../schema/connection.ts';
import { costs, costsEach } from '../../schema/cost.ts';
import { IdempotencyConflictRef, OutcomeUnknownRef } from '../../schema/user-error.ts';
import { DomainRef } from '../domain/schema.ts';
import { PurchaseConnectionRef, PurchaseRef, purchaseList } from './schema.ts';
import { purchases } from './service.ts';

// The purchases of objects of other types.

builder.objectField(DomainRef, 'purchases', (t) =>
  t.field({
    ...needs(...purchaseScopes),
    type: PurchaseConnectionRef,
    description:
      'Purchases of the domain by the caller, newest first. With the scope `ops` those of all callers. Calls: none.',
    args: pageArgs(t),
    extensions: purchaseList.ofDomains,
    resolve: ({ name: domain }, page, scope) => purchaseList.page(scope, page, { domain }),
  }),
);

const costsPurchaseOfEach = costs((count, _args, above) => ({
  purchases: above.purchases ?? count.page('purchase of an error', 1),
  owners: costsEach(count, above, 'purchases'),
}));

/** The `purchase` of an object that has its id: null without one. */
export const purchaseOf = (
  t: ObjectFieldBuilder<{ readonly purchaseId?: string | null | undefined }>,
  description: string,
) =>
  t.field({
    type: PurchaseRef,
    description: `${description}, and when the caller may not read it with \`purchase\`. Calls: none.`,
    extensions: costsPurchaseOfEach,
    resolve: ({ purchaseId }, _args, { use }) => use(purchases).storedById(purchaseId),
  });

builder.objectField(IdempotencyConflictRef, 'purchase', (t) =>
  purchaseOf(t, 'The conflicting purchase; null when the key belongs to no purchase'),
);
builder.objectField(OutcomeUnknownRef, 'purchase', (t) =>
  purchaseOf(t, 'The purchase whose outcome is unknown; null for any other change'),
);
