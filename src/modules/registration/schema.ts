import { domainField } from '../../schema/arguments.ts';
import { builder, type InputFieldBuilder, needs } from '../../schema/builder.ts';
import { costs, costsDomains, named, namesIn } from '../../schema/cost.ts';
import { optionalInputs, requiredInputs } from '../../schema/input-fields.ts';
import { nullableFields, requiredFields } from '../../schema/member-fields.ts';
import { MoneyInputRef, MoneyRef } from '../../schema/values.ts';
import { costsWrittenDomain, DomainRef } from '../domain/schema.ts';
import { mutation, type PayloadFieldBuilder } from '../mutation/schema.ts';
import type { PurchasePayload } from '../purchase/payload.ts';
import { QuoteRef } from '../purchase/quote-schema.ts';
import { PurchaseRef } from '../purchase/schema.ts';

const AddressInputRef = builder.inputType('AddressInput', {
  description: 'A postal address.',
  fields: (t) => ({
    ...requiredInputs(t, 'String', {
      line1: 'Street and number.',
      city: 'City.',
      country: 'ISO 3166-1 alpha-2, such as `DE`; any case.',
    }),
    ...optionalInputs(t, 'String', {
      line2:
        'Second line. For the registrant it is appended to the first line, because the registrar has one line; both have at most 253 characters together.',
      state: 'State or province, if the country has them.',
      zipCode: 'Postal code of at most 16 characters, if the country has them.',
    }),
  }),
});

export const ContactInputRef = builder.inputType('ContactInput', {
  description:
    'A person or company. Validated before any upstream call. A text has at most 255 characters, without line breaks and invisible characters, and is sent in Unicode NFC.',
  fields: (t) => ({
    ...requiredInputs(t, 'String', {
      firstName: 'First name.',
      lastName:
        'Last name; the first name again for a person with one name. Both have at most 254 characters together.',
      email:
        'One e-mail address, ASCII before the `@`. The domain may be in Unicode, and is sent in ASCII (A-labels).',
      phone:
        'Telephone number in any common spelling, such as `+49 30 123456`. Without `+` it is a national number of `address.country`.',
    }),
    ...optionalInputs(t, 'String', { company: 'Company.' }),
    ...requiredInputs(t, AddressInputRef, { address: 'Postal address.' }),
  }),
});

/** A flag with a default. */
export const flag = (t: InputFieldBuilder, defaultValue: boolean, description: string) =>
  t.boolean({ required: true, defaultValue, description });

export const periodField = (t: InputFieldBuilder, description: string) =>
  t.int({ required: true, defaultValue: 1, description });

export const transferPeriodField = (t: InputFieldBuilder) =>
  optionalInputs(t, 'Int', {
    period:
      'Number of years to pay for: one that the price list has for transfers, or 1 to `maxPeriod` of the TLD. 0 where the list has a price for 0 years. Default: the shortest period that is listed for transfers, or 1. Most registries add one year, whatever the period is.',
  });

/** The inputs of both purchases that protect money. */
const guards = (t: InputFieldBuilder) => ({
  ...optionalInputs(t, MoneyInputRef, {
    maxPrice:
      'Highest accepted price, in the currency of the price. The purchase is refused when `quote.highest` is higher or unknown.',
  }),
  ...optionalInputs(t, 'String', {
    idempotencyKey:
      'Your key for this purchase, 1 to 200 characters. The same key with the same input is always the same purchase, which is sent once. Default: the header `Idempotency-Key`, otherwise a key that the gateway generates. A header with another key is refused.',
  }),
  dryRun: flag(t, false, 'Make all checks and return the quote, but buy nothing.'),
});

const purchaseFields = (t: PayloadFieldBuilder<PurchasePayload>) => ({
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
    description:
      'The domain, read after the purchase; null unless the purchase is SUCCEEDED. Costs one `getdetails`.',
    extensions: costsWrittenDomain,
    resolve: ({ purchase }, _args, { loaders }) =>
      purchase?.state === 'SUCCEEDED' ? loaders.domains.load(purchase.domain) : null,
  }),
  price: t.field({
    type: MoneyRef,
    description:
      'The highest price of the whole period: that of `purchase`, or that of `quote` when there is no purchase.',
    resolve: ({ purchase, quote }) => (purchase ? purchase.price : (quote?.highest ?? null)),
  }),
  balanceAfter: t.expose('balanceAfter', {
    ...needs('account:read'),
    type: MoneyRef,
    description:
      'The expected balance after the purchase: the balance in the currency of `price`, read before the purchase, minus `price`. Null when the registrar did not report the balance, when the purchase is refused, and when `replayed` is true.',
  }),
});

const reads = '`tldlist`, `resellerdetails`';

/** Marks a field that spends money, of which a document may have one. */
const purchase = {
  purchase: true,
  ...costs((count, { input }: { input: { domain: string; dryRun: boolean } }) => {
    const { domain, dryRun } = input;
    count.calls(dryRun ? 3 : 5);
    if (dryRun) return { domains: named([]), purchases: named([]) };
    // When the reply is lost the domain is read, and the payload shows that read.
    const { domains = named([]) } = costsDomains(count, namesIn([domain]));
    return { domains, purchases: domains };
  }),
};

mutation('registerDomain', {
  needs: 'domains:spend',
  description: `Registers a domain. Checks with ${reads}, \`singlecheckavailability\` and \`getdetails\`. Then sends one \`registerdomain\`, and never a second. When the reply is lost, one more \`getdetails\` verifies the outcome.`,
  extensions: purchase,
  input: {
    argument: 'The registration.',
    description: 'Domain, contacts, options and limits of a registration.',
    fields: (t) => ({
      domain: domainField(t, 'The domain to register'),
      period: periodField(t, 'Number of years, within the bounds of the TLD.'),
      ...requiredInputs(t, ['String'], {
        nameServers:
          '1 to 13 host names, in any spelling of `DomainName`; many TLDs require 2. Duplicates are dropped.',
      }),
      ...requiredInputs(t, ContactInputRef, { registrant: 'The holder of the domain.' }),
      ...optionalInputs(t, ContactInputRef, {
        contact: 'Administrative, billing and technical contact. Default: the registrant.',
      }),
      privacyProtected: flag(
        t,
        false,
        'Whether privacy protection hides the contacts from the public.',
      ),
      transferLocked: flag(t, true, 'Whether to set the transfer lock.'),
      acceptPremium: flag(t, false, 'Whether a premium name may be bought at its premium price.'),
      ...guards(t),
    }),
  },
  result:
    'Result of a registration: succeeded, refused (see `errors`), or still pending (see `purchase`).',
  payload: purchaseFields,
  resolve: (input, { services }) => services.registration.register(input),
});

mutation('transferDomain', {
  needs: 'domains:spend',
  description: `Transfers a domain into the account. A transfer takes several days and cannot be cancelled here. Checks with ${reads} and \`getdetails\`. Then sends one \`transferdomain\`, and never a second. When the reply is lost, one more \`getdetails\` verifies the outcome.`,
  extensions: purchase,
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
  result:
    'Result of a transfer: accepted (`purchase` is IN_PROGRESS for several days), refused (see `errors`), or not known yet (`purchase` is PENDING).',
  payload: purchaseFields,
  resolve: (input, { services }) => services.registration.transfer(input),
});
