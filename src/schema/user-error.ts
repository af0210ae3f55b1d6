import {
  type ErrorType,
  type Fault,
  type FaultFacts,
  faults,
  type LimitName,
} from '../kernel/faults.ts';
import { builder, enumRef, needs, type ObjectFieldBuilder, type ObjectFields } from './builder.ts';
import { globalId } from './global-id.ts';
import { nullableFields, requiredFields } from './member-fields.ts';
import { MoneyRef } from './values.ts';

export const ErrorCodeRef = enumRef<keyof typeof faults>(
  'ErrorCode',
  'Why a request was refused or failed. A code is never reused with another meaning. The list will grow. When your client does not know a code, use the type of the error, `executed` and `retryable`.',
  Object.fromEntries(
    Object.entries(faults).map(([code, { message }]) => [code, message]),
  ) as Record<keyof typeof faults, string>,
);

const ExecutedRef = enumRef(
  'Executed',
  'Whether the registrar may have carried out a request that failed.',
  {
    NO: 'The registrar did nothing.',
    YES: 'The registrar carried out the request.',
    UNKNOWN:
      'The registrar may have carried out the request. Read the object before you send the request again.',
  },
);

/** The members of a fault that the graph shows. Each of its facts is a member. */
type UserError = Pick<
  Fault,
  'code' | 'message' | 'executed' | 'retryable' | 'inputPath' | 'upstream'
> &
  FaultFacts;

/** A copy that is not an `Error`: graphql-js throws each `Error` that a resolver returns, also within a list. */
export const userError = (fault: Fault) => {
  const { code, message, facts, executed, retryable, inputPath, upstream } = fault;
  return { ...facts, code, message, executed, retryable, inputPath, upstream } as UserError;
};

export const UserErrorRef = builder.interfaceRef<UserError>('UserError').implement({
  description:
    'Why a request was refused or failed. Every client can use `code` and `message`. The types that implement this interface add facts.',
  resolveType: ({ code }): ErrorType => faults[code].type,
  fields: (t) => ({
    ...requiredFields(t, ErrorCodeRef, { code: 'The code of the error, for programs.' }),
    ...requiredFields(t, 'String', { message: 'The error in a sentence, for people.' }),
    path: t.stringList({
      nullable: false,
      description:
        'The argument and its field, such as `["input", "period"]`; empty when the error is not about a single argument.',
      resolve: ({ inputPath }) => [...inputPath],
    }),
    ...requiredFields(t, ExecutedRef, {
      executed: 'Whether the registrar may have carried out the request.',
    }),
    ...requiredFields(t, 'Boolean', {
      retryable: 'Whether the same request may succeed when it is sent again later.',
    }),
  }),
});

/** The field `errors` of a type whose faults are data. */
export const errorsField = (
  t: ObjectFieldBuilder<{ readonly errors: readonly Fault[] }>,
  description: string,
) =>
  t.field({
    type: [UserErrorRef],
    nullable: false,
    description,
    resolve: ({ errors }) => errors.map(userError),
  });

const LimitNameRef = enumRef<LimitName>('SpendLimit', 'The kind of a spend limit.', {
  PER_CALL: 'The highest price of one purchase.',
  PER_DAY: 'The sum of the highest prices of the purchases of 24 hours.',
  PER_HOUR: 'The number of purchases in 60 minutes.',
  TLDS: 'The TLDs that may be bought.',
  LONGEST_PERIOD: 'The number of years of one purchase.',
});

export const LimitScopeRef = enumRef(
  'SpendLimitScope',
  'Whether a spend limit belongs to the gateway or to an API key.',
  {
    GATEWAY:
      'A limit of the gateway or of the tenant. It counts the purchases of all callers of the tenant.',
    KEY: "A limit of the caller's API key. It counts the purchases with that key.",
  },
);

type MemberFieldBuilder = ObjectFieldBuilder<UserError>;

/** The error code and message of the registrar. */
const upstreamFacts = (t: MemberFieldBuilder) => ({
  upstreamCode: t.string({
    description: 'Raw error code of the registrar, such as `API_2303_ERROR`; null without one.',
    resolve: ({ upstream }) => upstream?.code || null,
  }),
  upstreamMessage: t.string({
    description:
      "The registrar's message without secrets and markup; for people, not for programs. Null without one.",
    resolve: ({ upstream }) => upstream?.message || null,
  }),
});

const retryAfter = (t: MemberFieldBuilder) =>
  nullableFields(t, 'Int', {
    retryAfterMs:
      'Milliseconds to wait before the next request, as the registrar or the gateway requires; null without a required wait.',
  });

interface Member {
  readonly description: string;
  readonly facts?: (t: MemberFieldBuilder) => ObjectFields;
}

/**
 * The types that implement `UserError`, with the facts that each adds; those of the upstream for a type that is only
 * described. `faults` names the codes of each.
 */
const members = {
  InvalidInput:
    'A value of the input is not valid or is missing. `path` names it when it is known.',
  ConfirmationRequired: {
    description: 'The deletion cannot be undone, and `confirm` was not true.',
  },
  PeriodOutOfRange: {
    description: 'The TLD is not sold for that many years.',
    facts: (t) => ({
      ...nullableFields(t, 'Int', {
        minimum: 'Lowest period in years; null when the registrar does not report it.',
        maximum: 'Highest period in years; null when the registrar does not report it.',
      }),
      ...upstreamFacts(t),
    }),
  },
  DomainNotAvailable:
    'The domain cannot be registered: it is registered, reserved or a premium name that is not for sale.',
  AlreadyExists: 'The object, such as a child name server, already exists.',
  AlreadyOwned: 'The domain is already in this account.',
  TransferPending: 'A transfer of the domain is in progress.',
  InsufficientFunds: {
    description: 'The balance in the currency of the price is lower than the price.',
    facts: (t) => ({
      ...nullableFields(t, MoneyRef, {
        required: 'The highest price of the quote; null when it is not known.',
      }),
      available: t.field({
        ...needs('account:read'),
        type: MoneyRef,
        description: 'The balance; null when it is not known.',
        resolve: ({ available }) => available,
      }),
      ...upstreamFacts(t),
    }),
  },
  MaxPriceExceeded: {
    description:
      'The highest price of the quote is above `maxPrice`, or in another currency. Nothing was sent.',
    facts: (t) =>
      nullableFields(t, MoneyRef, {
        maxPrice: 'The `maxPrice` of the request.',
        lowest: 'The lowest price of the quote.',
        highest: 'The highest price of the quote.',
      }),
  },
  PriceUnavailable:
    'The price of this period is unknown: neither the price list nor the availability check has a price from which it can be computed.',
  PremiumNotAccepted: {
    description: 'A premium name, and `acceptPremium` was not true.',
    facts: (t) =>
      nullableFields(t, MoneyRef, {
        price: 'The highest price of the quote; null when it is unknown.',
      }),
  },
  SpendLimitExceeded: {
    description:
      'A spend limit of the operator refuses the purchase. Fields that do not belong to that limit are null.',
    facts: (t) => ({
      ...nullableFields(t, LimitNameRef, { limit: 'The kind of limit.' }),
      ...nullableFields(t, LimitScopeRef, {
        scope: 'Whether the limit belongs to the gateway or to the API key.',
      }),
      ...nullableFields(t, MoneyRef, {
        price: 'The highest price of the purchase.',
        allowed:
          'The limit for `PER_CALL` and `PER_DAY`; null when nothing may be spent in the currency of the price.',
        spent:
          'For `PER_DAY`: the sum of the highest prices in the last 24 hours. Open purchases count, failed ones do not.',
      }),
      ...nullableFields(t, 'Int', {
        allowedCount: 'The limit for `PER_HOUR`.',
        count:
          'For `PER_HOUR`: the number of purchases in the last 60 minutes. Open purchases count, failed ones do not.',
        allowedPeriod: 'The limit for `LONGEST_PERIOD`, in years.',
      }),
      ...nullableFields(t, ['String'], {
        allowedTlds: 'The limit for `TLDS`: the TLDs that may be bought.',
      }),
    }),
  },
  PurchasesStopped: {
    description:
      'The operator has stopped all purchases. Reads, other changes and open purchases continue.',
    facts: (t) => ({
      ...nullableFields(t, 'DateTime', { since: 'Time at which the operator stopped purchases.' }),
      ...nullableFields(t, 'String', { reason: "The operator's reason." }),
    }),
  },
  AuthCodeInvalid: 'The auth code is wrong, or there is no such domain to transfer.',
  DomainLocked: {
    description: 'The current status of the domain does not allow the change.',
    facts: (t) => ({
      ...nullableFields(t, 'String', {
        status: 'The raw status that prevents the change; null when it is unknown.',
      }),
      ...upstreamFacts(t),
    }),
  },
  NotFound: 'The account has no such object.',
  IdempotencyConflict: {
    description:
      'The key belongs to another input, or another purchase of this domain is still open.',
    facts: (t) => ({
      purchaseId: t.id({
        description:
          'The conflicting purchase, to read with `purchase(by:)`; null when another caller made it.',
        resolve: ({ purchaseId }) => purchaseGlobalId(purchaseId),
      }),
    }),
  },
  OutcomeUnknown: {
    description:
      'It is unknown whether the change was made. After a purchase: do not buy again, read the purchase. After any other change: `message` has the next step, and `retryable` is true when it is safe to send the same request again.',
    facts: (t) => ({
      purchaseId: t.id({
        description: 'The purchase to read with `purchase(by:)`; null for any other change.',
        resolve: ({ purchaseId }) => purchaseGlobalId(purchaseId),
      }),
      ...upstreamFacts(t),
      ...retryAfter(t),
    }),
  },
  NotAuthorized: {
    description: 'The credential is missing, is not valid, or does not allow the request.',
  },
  UpstreamUnavailable: {
    description:
      'The registrar did not respond, or its response could not be read. See `executed`.',
    facts: (t) => ({
      ...upstreamFacts(t),
      ...retryAfter(t),
    }),
  },
  GatewayUnavailable: {
    description: 'The gateway cannot process the request.',
  },
  UpstreamRejected: 'The registrar or the registry refused the change.',
} satisfies Record<ErrorType, Member | string>;

const purchaseGlobalId = (id: string | undefined) => (id ? globalId('Purchase', id) : null);

function codesOf(type: string): string {
  const codes = Object.entries(faults).filter(([, fault]) => fault.type === type);
  const names = codes.map(([code]) => `\`${code}\``).join(', ');
  return `${codes.length === 1 ? 'Code' : 'Codes'}: ${names}.`;
}

for (const [name, member] of Object.entries<Member | string>(members)) {
  const { description, facts }: Member =
    typeof member === 'string' ? { description: member, facts: upstreamFacts } : member;
  builder.objectRef<UserError>(name).implement({
    description: `${description} ${codesOf(name)}`,
    interfaces: [UserErrorRef],
    fields: (t) => (facts?.(t as never) ?? {}) as Record<string, never>,
  });
}
