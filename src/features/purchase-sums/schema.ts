import { checkCustomer, purchaseScopes } from '../../kernel/caller.ts';
import type { Decimal } from '../../kernel/money.ts';
import { purchases } from '../../modules/purchase/service.ts';
import { type ChargeSum, sumCharges } from '../../modules/purchase/sums.ts';
import type { Charge } from '../../persistence/purchase-queries.ts';
import { builder, enumRef, needs } from '../../schema/builder.ts';
import { costs, costsSum } from '../../schema/cost.ts';
import { givenIn, nullableFields, optionalInputs, requiredFields } from '../../schema/fields.ts';
import { checkSpans } from '../../schema/stored-list.ts';
import { MoneyRef, TimeSpanRef } from '../../schema/values.ts';

type Group = 'MONTH' | 'CUSTOMER' | 'TLD';

const GroupRef = enumRef<Group>('PurchaseGroup', 'What the purchases of a sum have in common.', {
  MONTH: 'The month in UTC, such as `2026-11`.',
  CUSTOMER: 'The customer.',
  TLD: 'The part of the domain name after the first dot, in ASCII: `com`, `co.uk`.',
});

const readValue: Record<Group, (charge: Charge) => string | null> = {
  MONTH: ({ at }) => at.toISOString().slice(0, 7),
  CUSTOMER: ({ customer }) => customer,
  TLD: ({ domain }) => domain.slice(domain.indexOf('.') + 1),
};

type PurchaseSum = ChargeSum & { readonly value: string | null };

const PurchaseSumRef = builder.objectRef<PurchaseSum>('PurchaseSum').implement({
  description: 'The exact sums of the purchases of a group with the same currencies.',
  fields: (t) => {
    const sum = (
      description: string,
      read: (sum: ChargeSum) => Decimal | null,
      currencyOf = ({ currency }: ChargeSum) => currency,
    ) =>
      t.field({
        type: MoneyRef,
        description,
        resolve(row) {
          const [amount, currency] = [read(row), currencyOf(row)];
          return amount && currency ? { amount, currency } : null;
        },
      });
    return {
      ...nullableFields(t, 'String', {
        value: 'The month, customer or TLD. Null for purchases without a customer.',
      }),
      ...requiredFields(t, 'Int', { count: 'Number of purchases that the registrar accepted.' }),
      paid: sum(
        'The prices of these purchases. Null when they have no known price.',
        ({ paid }) => paid,
      ),
      refunded: sum(
        'The prices of purchases that came to nothing after the registrar had accepted them: a transfer that failed.',
        ({ refunded }) => refunded,
      ),
      spent: sum(
        'The costs that the registrar charged, less those that it is known to have returned. Null without the scope `prices:cost`.',
        ({ spent }) => spent,
        ({ costCurrency }) => costCurrency,
      ),
      margin: sum(
        '`paid` less `refunded` and `spent`. Null when prices and costs have different currencies, and without the scope `prices:cost`.',
        ({ margin }) => margin,
      ),
    };
  },
});

const FilterRef = builder.inputType('PurchaseSumFilter', {
  description: 'Conditions for the purchases of sums. A purchase must meet all that are set.',
  fields: (t) => ({
    ...optionalInputs(t, TimeSpanRef, {
      at: 'Only what the registrar accepted, and what came to nothing, in this span.',
    }),
    ...optionalInputs(t, 'String', {
      caller: 'Only purchases of this API key or token. Needs the scope `ops`.',
      customer: 'Only purchases for this customer.',
    }),
  }),
});

/** Sums of a response. */
const mostSums = 1_000;

builder.queryField('purchaseSums', (t) =>
  t.field({
    ...needs(...purchaseScopes),
    type: [PurchaseSumRef],
    description: `Sums of the purchases of the caller, one per group and currencies: the latest month first, or the largest \`count\` first; at most ${mostSums}. With the scope \`ops\` those of all callers. The registrar's acceptance decides the time of a purchase, and its end that of a refund, so that a past month does not change. Calls: none.`,
    args: {
      filter: t.arg({ type: FilterRef, description: 'Which purchases. Default: all.' }),
      by: t.arg({ type: GroupRef, required: true, description: 'How the purchases are grouped.' }),
    },
    extensions: costs((count, args) => costsSum(count, {}, `sums ${JSON.stringify(args)}`)),
    async resolve(_root, { filter, by }, { caller, use }) {
      checkSpans(filter);
      const { at = {}, customer, ...rest } = givenIn(filter);
      const charges = use(purchases).charges({
        ...{ ...rest, ...at },
        ...(customer !== undefined && { customer: checkCustomer(customer) }),
      });
      const sums: PurchaseSum[] = [
        ...(await sumCharges(caller, charges, (charge) => ({ value: readValue[by](charge) }))),
      ];
      // The sums are in the order of their values, and sorting keeps that of equal counts.
      const sorted =
        by === 'MONTH' ? sums.reverse() : sums.sort((one, other) => other.count - one.count);
      return sorted.slice(0, mostSums);
    },
  }),
);
