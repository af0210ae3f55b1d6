import { domainField, inputArg } from '../../schema/arguments.ts';
import {
  builder,
  type InputFieldBuilder,
  needs,
  type ObjectFieldBuilder,
} from '../../schema/builder.ts';
import { costs, costsDomains, named, namesIn } from '../../schema/cost.ts';
import { nullableFields, requiredFields } from '../../schema/member-fields.ts';
import { payloadRef } from '../../schema/payload.ts';
import { MoneyInputRef, MoneyRef } from '../../schema/values.ts';
import { costsWrittenDomain, DomainRef } from '../domain/schema.ts';
import { PurchaseRef } from '../purchase/schema.ts';
import { QuoteRef } from '../quote/schema.ts';
import type { PurchasePayload } from './payload.ts';

const AddressInputRef = builder.inputType('AddressInput', {
  description: 'A postal address.',
  fields: (t) => ({
    line1: t.string({ required: true, description: 'Street and number.' }),
    line2: t.string({
      description:
        'Second line. For the registrant it is appended to the first line, because the registrar has one line.',
    }),
    city: t.string({ required: true, description: 'City.' }),
    state: t.string({ description: 'State or province, if the country has them.' }),
    zipCode: t.string({ description: 'Postal code, if the country has them.' }),
    country: t.string({
      required: true,
      description: 'ISO 3166-1 alpha-2, such as `DE`; any case.',
    }),
  }),
});

const ContactInputRef = builder.inputType('ContactInput', {
  description: 'A person or company. Validated before any upstream call.',
  fields: (t) => ({
    firstName: t.string({ required: true, description: 'First name.' }),
    lastName: t.string({ required: true, description: 'Last name.' }),
    company: t.string({ description: 'Company.' }),
    email: t.string({ required: true, description: 'One e-mail address.' }),
    phone: t.string({
      required: true,
      description:
        'Telephone number in any common spelling, such as `+49 30 123456`. Without `+` it is a national number of `address.country`.',
    }),
    address: t.field({ type: AddressInputRef, required: true, description: 'Postal address.' }),
  }),
});

/** The inputs of both purchases that protect money. */
const guards = (t: InputFieldBuilder) => ({
  maxPrice: t.field({
    type: MoneyInputRef,
    description:
      'Highest accepted price, in the currency of the price. The purchase is refused when `quote.highest` is higher or unknown.',
  }),
  idempotencyKey: t.string({
    description:
      'Your key for this purchase, 1 to 200 characters. The same key with the same input is always the same purchase, which is sent once. Default: the header `Idempotency-Key`, otherwise a key that the gateway generates. A header with another key is refused.',
  }),
  dryRun: t.boolean({
    required: true,
    defaultValue: false,
    description: 'Make all checks and return the quote, but buy nothing.',
  }),
});

const RegisterDomainInputRef = builder.inputType('RegisterDomainInput', {
  description: 'Domain, contacts, options and limits of a registration.',
  fields: (t) => ({
    domain: domainField(t, 'The domain to register'),
    period: t.int({
      required: true,
      defaultValue: 1,
      description: 'Number of years, within the bounds of the TLD.',
    }),
    nameServers: t.stringList({
      required: true,
      description:
        '1 to 13 host names, in any spelling of `DomainName`; many TLDs require 2. Duplicates are dropped.',
    }),
    registrant: t.field({
      type: ContactInputRef,
      required: true,
      description: 'The holder of the domain.',
    }),
    contact: t.field({
      type: ContactInputRef,
      description: 'Administrative, billing and technical contact. Default: the registrant.',
    }),
    privacyProtected: t.boolean({
      required: true,
      defaultValue: false,
      description: 'Whether privacy protection hides the contacts from the public.',
    }),
    transferLocked: t.boolean({
      required: true,
      defaultValue: true,
      description: 'Whether to set the transfer lock.',
    }),
    acceptPremium: t.boolean({
      required: true,
      defaultValue: false,
      description: 'Whether a premium name may be bought at its premium price.',
    }),
    ...guards(t),
  }),
});

const TransferDomainInputRef = builder.inputType('TransferDomainInput', {
  description: 'Domain, auth code and limits of a transfer into the account.',
  fields: (t) => ({
    domain: domainField(t, 'The domain to transfer'),
    authCode: t.string({
      required: true,
      description: 'Auth code (EPP code) from the current registrar. A secret.',
    }),
    period: t.int({
      required: true,
      defaultValue: 1,
      description:
        'Number of years to pay for, within the bounds of the TLD; usually 1. Most registries add one year, whatever the period is.',
    }),
    ...guards(t),
  }),
});

const purchaseFields = (t: ObjectFieldBuilder<PurchasePayload>) => ({
  ...nullableFields(t, PurchaseRef, {
    purchase: 'The purchase. Null when a check refused it and nothing was sent, and for a dry run.',
  }),
  ...nullableFields(t, QuoteRef, {
    quote:
      'The quote of this order, also when the purchase is refused. Null when the TLD is not sold or cannot be read, and when `replayed` is true.',
  }),
  ...requiredFields(t, 'Boolean', {
    replayed:
      'Whether an earlier request with this idempotency key made the purchase, so that this request sent nothing.',
    dryRun: 'Whether this was a dry run, so that nothing was bought.',
  }),
  domain: t.field({
    ...needs('domains:read'),
    type: DomainRef,
    nullable: true,
    description:
      'The domain, read after the purchase; null unless the purchase is SUCCEEDED. Costs one `getdetails`.',
    extensions: costsWrittenDomain,
    resolve: ({ purchase }, _args, { loaders }) =>
      purchase?.state === 'SUCCEEDED' ? loaders.domains.load(purchase.domain) : null,
  }),
  price: t.field({
    type: MoneyRef,
    nullable: true,
    description:
      'The highest price of the whole period: that of `purchase`, or that of `quote` when there is no purchase.',
    resolve: ({ purchase, quote }) => (purchase ? purchase.price : (quote?.highest ?? null)),
  }),
  balanceAfter: t.expose('balanceAfter', {
    ...needs('account:read'),
    type: MoneyRef,
    nullable: true,
    description:
      'The expected balance after the purchase: the balance in the currency of `price`, read before the purchase, minus `price`. Null when the registrar did not report the balance, when the purchase is refused, and when `replayed` is true.',
  }),
});

const RegisterDomainPayloadRef = payloadRef<PurchasePayload>(
  'RegisterDomainPayload',
  'Result of a registration: succeeded, refused (see `errors`), or still pending (see `purchase`).',
  purchaseFields,
);

const TransferDomainPayloadRef = payloadRef<PurchasePayload>(
  'TransferDomainPayload',
  'Result of a transfer: accepted (`purchase` is IN_PROGRESS for several days), refused (see `errors`), or not known yet (`purchase` is PENDING).',
  purchaseFields,
);

const reads = '`tldlist`, `resellerdetails`';

/** Marks a field that spends money, of which a document may have one. The numbers are its upstream calls. */
const purchase = (calls: number, dryRunCalls: number) => ({
  purchase: true,
  ...costs((count, { input }: { input: { domain: string; dryRun: boolean } }) => {
    const { domain, dryRun } = input;
    count.calls(dryRun ? dryRunCalls : calls);
    if (dryRun) return { domains: named([]), purchases: named([]) };
    // When the reply is lost the domain is read, and the payload shows that read.
    const { domains = named([]) } = costsDomains(count, namesIn(domain));
    return { domains, purchases: domains };
  }),
});

builder.mutationFields((t) => ({
  registerDomain: t.field({
    ...needs('domains:spend'),
    type: RegisterDomainPayloadRef,
    nullable: false,
    extensions: purchase(5, 3),
    description: `Registers a domain. Checks with ${reads}, \`singlecheckavailability\` and \`getdetails\`. Then sends one \`registerdomain\`, and never a second. When the reply is lost, one more \`getdetails\` verifies the outcome.`,
    args: inputArg(t, RegisterDomainInputRef, 'The registration.'),
    resolve: (_root, { input }, { services }) => services.registration.register(input),
  }),
  transferDomain: t.field({
    ...needs('domains:spend'),
    type: TransferDomainPayloadRef,
    nullable: false,
    extensions: purchase(5, 3),
    description: `Transfers a domain into the account. A transfer takes several days and cannot be cancelled here. Checks with ${reads} and \`getdetails\`. Then sends one \`transferdomain\`, and never a second. When the reply is lost, one more \`getdetails\` verifies the outcome.`,
    args: inputArg(t, TransferDomainInputRef, 'The transfer.'),
    resolve: (_root, { input }, { services }) => services.registration.transfer(input),
  }),
}));
