import { type LookupInput, LookupInputRef, lookupName, lookupOf } from '../../schema/arguments.ts';
import { type InputFieldBuilder, needs } from '../../schema/builder.ts';
import { costs, costsDomains, named, namesIn, neverLimited } from '../../schema/cost.ts';
import { nullableFields, optionalInputs } from '../../schema/fields.ts';
import { MoneyInputRef, MoneyRef } from '../../schema/values.ts';
import type { Scope } from '../../scope/scope.ts';
import { domainReads } from '../domain/loader.ts';
import { costsWrittenDomain, DomainRef } from '../domain/schema.ts';
import { mutation, payloadRef } from '../mutation/schema.ts';
import { QuoteRef } from '../quote/schema.ts';
import type { PurchasePayload } from './payload.ts';
import { costsStored, PurchaseRef } from './schema.ts';
import { purchases } from './service.ts';

/** A flag with a default. */
export const flag = (t: InputFieldBuilder, defaultValue: boolean, description: string) =>
  t.boolean({ required: true, defaultValue, description });

/** The years of a registration. */
export const periodField = (t: InputFieldBuilder) =>
  optionalInputs(t, 'Int', {
    period:
      'Number of years, within the bounds of the TLD. Default: the shortest period that can be bought, as for `DomainAvailability.quote`.',
  });

/** The customer of a purchase. */
export const customerField = (t: InputFieldBuilder, otherwise = "the reseller's own purchase") =>
  optionalInputs(t, 'String', {
    customer: `The customer who gets the domain when the purchase succeeds, in 1 to 64 printable characters. Needs the scope \`customers:write\`. A caller that is bound to a customer buys for that one. Default: ${otherwise}.`,
  });

/** The inputs of both purchases that protect money, and for whom the purchase is. */
export const guards = (t: InputFieldBuilder) => ({
  ...customerField(t),
  ...optionalInputs(t, MoneyInputRef, {
    maxPrice:
      'Highest accepted price, in the currency of the price. The purchase is refused when `quote.highest` is higher or unknown.',
    maxCost:
      'Highest accepted cost, in the currency of the cost: `quote.cost.highest`. Needs the scope `prices:cost`.',
  }),
  ...optionalInputs(t, 'String', {
    idempotencyKey:
      'Your key for this purchase, 1 to 200 characters. The same key with the same input is always the same purchase, which is sent once. Default: the header `Idempotency-Key`, otherwise a key that the gateway generates. A header with another key is refused. Checks that refuse the purchase do not use the key, for example an empty auth code; a refusal by the registrar does, for example of a wrong one. See `keyUsed`.',
  }),
  dryRun: flag(t, false, 'Make all checks and return the quote, but buy nothing.'),
});

/** A purchase that was made, or only tried. */
interface MadePurchase extends PurchasePayload {
  /** Of a transfer that was not sent. */
  readonly notChecked?: string | null;
}

export const PurchasePayloadRef = payloadRef<MadePurchase>(
  'PurchasePayload',
  'Result of a purchase: succeeded, cancelled, refused (see `errors`), or not known yet (`purchase` is PENDING). The purchase of a transfer that was accepted is IN_PROGRESS for several days.',
  (t) => ({
    ...nullableFields(t, PurchaseRef, {
      purchase:
        'The purchase. Null when a check refused it and nothing was sent, for a dry run, and when it was not cancelled.',
    }),
    ...nullableFields(t, QuoteRef, {
      quote:
        'The quote of this purchase, also when the purchase is refused. Null when the TLD is not sold or cannot be read, and when `replayed` is true.',
    }),
    replayed: t.boolean({
      nullable: false,
      description:
        'Whether an earlier request with this idempotency key made the purchase, so that this request sent nothing.',
      resolve: ({ replayed = false }) => replayed,
    }),
    keyUsed: t.boolean({
      nullable: false,
      description:
        'Whether a purchase with this idempotency key is stored. When it is false, the same key may be sent with other input; when it is true, other input needs a new key. False for a dry run.',
      resolve: ({ keyUsed, purchase }) => keyUsed ?? Boolean(purchase),
    }),
    dryRun: t.boolean({
      nullable: false,
      description: 'Whether this was a dry run, so that nothing was bought.',
      resolve: ({ dryRun = false }) => dryRun,
    }),
    domain: t.field({
      ...needs('domains:read'),
      type: DomainRef,
      description:
        'The domain, read after the purchase; null unless the purchase is SUCCEEDED. Calls: one `getdetails`.',
      extensions: costsWrittenDomain,
      resolve: ({ purchase }, _args, { use }) =>
        purchase?.state === 'SUCCEEDED' ? use(domainReads).load(purchase.domain) : null,
    }),
    balanceAfter: t.expose('balanceAfter', {
      ...needs('account:read'),
      type: MoneyRef,
      description:
        'The expected balance after the purchase: the balance in the currency of the cost, read before the purchase, minus the highest cost. For a dry run of a caller without the scope `prices:cost`: minus the highest price. Null when the registrar did not report the balance, when the purchase is refused, and when `replayed` is true.',
    }),
    ...nullableFields(t, 'String', {
      notChecked:
        'What the registrar checks only when the transfer is sent, in one sentence for a person. Null for a transfer that was sent, and for a registration.',
    }),
  }),
);

mutation('cancelPurchase', {
  needs: 'domains:spend',
  description:
    'Cancels a purchase that waits before it is sent, as its `state` shows. It is then `FAILED` with the reason in `errors`, and nothing is sent. After the wait it is not cancelled. A purchase that belongs to a larger request is cancelled with that request only. Calls: none.',
  extensions: {
    ...neverLimited,
    ...costs((count, { input }: { input: LookupInput }) =>
      costsStored(count, `purchase ${lookupName(input)}`),
    ),
    recordedDomains: (input: LookupInput, { use }: Scope) =>
      use(purchases).domainOf(lookupOf('Purchase', input)),
  },
  input: { type: LookupInputRef, argument: 'The id or the idempotency key of the purchase.' },
  result: PurchasePayloadRef,
  resolve: (by, { use }) => use(purchases).cancel(lookupOf('Purchase', by)),
});

/** What the checks of both purchases read. */
export const reads = '`tldlist`, `resellerdetails`';

/** Marks a field that spends money, of which a document may have one. Its checks cause `checkCalls`, and a purchase two more. */
export const purchase = (checkCalls: number) => ({
  purchase: true,
  ...costs((count, { input }: { input: { domain: string; dryRun: boolean } }) => {
    const { domain, dryRun } = input;
    count.calls(checkCalls + (dryRun ? 0 : 2));
    if (dryRun) return { domains: named([]), purchases: named([]) };
    // When the reply is lost the domain is read, and the payload shows that read.
    const { domains = named([]) } = costsDomains(count, namesIn([domain]));
    return { domains, purchases: domains };
  }),
});
