import type { GraphQLEnumType, GraphQLSchema } from 'graphql';
import {
  type CoreErrorType,
  type Fault,
  type FaultCode,
  type FaultEntry,
  type FaultFacts,
  faults,
  type LimitName,
} from '../kernel/faults.ts';
import { servedTypeName } from '../kernel/schema-extensions.ts';
import { withoutCosts, withoutTotals } from '../kernel/visibility.ts';
import type { Scope } from '../scope/scope.ts';
import { builder, enumRef, needs, type ObjectFieldBuilder, type ObjectFields } from './builder.ts';
import { nullableFields, requiredFields } from './fields.ts';
import { MoneyRef } from './values.ts';

export const ErrorCodeRef = enumRef<keyof typeof faults>(
  'ErrorCode',
  'Why a request was refused or failed. A code is never reused with another meaning. The list will grow. When your client does not know a code, use `executed` and `retryable`.',
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
const userError = (fault: Fault) => {
  const { code, message, facts, executed, retryable, inputPath, upstream } = fault;
  return { ...facts, code, message, executed, retryable, inputPath, upstream } as UserError;
};

/** The faults as a caller sees them. */
export const userErrors = (
  found: readonly Fault[],
  { hidesCosts, hidesTotals }: Pick<Scope, 'hidesCosts' | 'hidesTotals'>,
) =>
  found
    .map((fault) => (hidesCosts ? withoutCosts(fault) : fault))
    .map((fault) => userError(hidesTotals ? withoutTotals(fault) : fault));

/** The code as this graph has it. The journal may have a code of a feature that is left out. */
function servedCode(code: FaultCode, { schema }: { readonly schema: GraphQLSchema }): FaultCode {
  const codes = schema.getType(servedTypeName(schema, ErrorCodeRef.name)) as GraphQLEnumType;
  return codes.getValue(code) ? code : 'FORBIDDEN';
}

export const UserErrorRef = builder.interfaceRef<UserError>('UserError').implement({
  description:
    'Why a request was refused or failed. Its fields are enough for every client: no fragment is needed. A type that implements it adds facts of its own; `PlainError` has none.',
  resolveType: ({ code }, _scope, info) => faults[servedCode(code, info)].type,
  fields: (t) => ({
    code: t.field({
      type: ErrorCodeRef,
      nullable: false,
      description: 'The code of the error, for programs.',
      resolve: ({ code }, _args, _scope, info) => servedCode(code, info),
    }),
    ...requiredFields(t, 'String', { message: 'The error in a sentence, for people.' }),
    path: t.stringList({
      nullable: true,
      description:
        'The place of the value in the arguments of the field, from the name of the argument on, such as `["input", "period"]` or `["input", "nameServers", "1"]`; null when the error is not about a single value.',
      resolve: ({ inputPath }) => (inputPath.length > 0 ? [...inputPath] : null),
    }),
    ...requiredFields(t, ExecutedRef, {
      executed: 'Whether the registrar may have carried out the request.',
    }),
    ...requiredFields(t, 'Boolean', {
      retryable: 'Whether the same request may succeed when it is sent again later.',
    }),
    ...nullableFields(t, 'Int', {
      retryAfterMs:
        'Milliseconds to wait before the next request, as the registrar or the gateway requires; null without a required wait.',
    }),
    upstreamCode: t.string({
      description:
        'Raw error code of the registrar, such as `API_2303_ERROR`; null without one, and for a caller that is bound to a customer after `AUTH_CODE_INVALID`.',
      resolve: ({ upstream }) => upstream?.code || null,
    }),
    upstreamMessage: t.string({
      description:
        "The registrar's message without secrets and markup; for people, not for programs. Null without one.",
      resolve: ({ upstream }) => upstream?.message || null,
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
    resolve: ({ errors }, _args, scope) => userErrors(errors, scope),
  });

const LimitNameRef = enumRef<LimitName>('SpendLimit', 'The kind of a spend limit.', {
  PER_CALL: 'The highest cost of one purchase.',
  PER_DAY: 'The sum of the highest costs of the purchases of 24 hours.',
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

interface Member {
  readonly description: string;
  readonly facts?: (t: MemberFieldBuilder) => ObjectFields;
}

/** The types that implement `UserError`, with the facts that each adds. `faults` names the codes of each. */
const members = {
  PlainError: { description: 'An error without facts of its own.' },
  PeriodOutOfRange: {
    description: 'The TLD is not sold for that many years.',
    facts: (t) => ({
      ...nullableFields(t, 'Int', {
        minimum: 'Lowest period in years; null when the registrar does not report it.',
        maximum: 'Highest period in years; null when the registrar does not report it.',
      }),
    }),
  },
  InsufficientFunds: {
    description:
      'The balance in the currency of the cost is lower than the cost. A dry run, a quote and a refused request of a caller without the scope `prices:cost` compare the price with it. All amounts are null for such a caller where prices differ from costs.',
    facts: (t) => ({
      ...nullableFields(t, MoneyRef, {
        required:
          'The highest cost of the quote. Null when it is not known, and for a caller who must not know costs.',
      }),
      available: t.field({
        ...needs('account:read'),
        type: MoneyRef,
        description: 'The balance; null when it is not known.',
        resolve: ({ available }) => available,
      }),
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
  PremiumNotAccepted: {
    description: 'A premium name, and `acceptPremium` was not true.',
    facts: (t) =>
      nullableFields(t, MoneyRef, {
        price: 'The highest price of the quote; null when it is unknown.',
      }),
  },
  SpendLimitExceeded: {
    description:
      'A spend limit of the operator refuses the purchase. Limits of money count the cost. A dry run, a quote and a refused request of a caller without the scope `prices:cost` compare the price with them, without earlier purchases. All amounts are null for such a caller where prices differ from costs. Fields that do not belong to that limit are null.',
    facts: (t) => ({
      ...nullableFields(t, LimitNameRef, { limit: 'The kind of limit.' }),
      ...nullableFields(t, LimitScopeRef, {
        scope: 'Whether the limit belongs to the gateway or to the API key.',
      }),
      ...nullableFields(t, MoneyRef, {
        price: 'The highest cost of the purchase, which the limit counts.',
        allowed:
          'The limit for `PER_CALL` and `PER_DAY`; null when nothing may be spent in the currency of the cost.',
        spent:
          'For `PER_DAY`: the sum of the highest costs in the last 24 hours. Open purchases count, failed ones do not.',
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
  DomainLocked: {
    description: 'The current status of the domain does not allow the change.',
    facts: (t) => ({
      ...nullableFields(t, 'String', {
        status: 'The raw status that prevents the change; null when it is unknown.',
      }),
    }),
  },
  IdempotencyConflict: {
    description:
      'The key belongs to another input, or another purchase of this domain is still open.',
  },
  OutcomeUnknown: {
    description:
      'It is unknown whether the change was made. After a purchase: do not buy again, read the purchase. After any other change: `message` has the next step, and `retryable` is true when it is safe to send the same request again.',
  },
} satisfies Record<CoreErrorType, Member>;

function codesOf(type: string): string {
  const codes = Object.entries(faults).filter(([, fault]) => fault.type === type);
  const names = codes.map(([code]) => `\`${code}\``).join(', ');
  return `${codes.length === 1 ? 'Code' : 'Codes'}: ${names}.`;
}

export const errorRef = (name: FaultEntry['type'], { description, facts }: Member) =>
  builder.objectRef<UserError>(name).implement({
    description: `${description} ${codesOf(name)}`,
    interfaces: [UserErrorRef],
    fields: (t) => (facts?.(t as never) ?? {}) as Record<string, never>,
  });

const refs = Object.entries<Member>(members).map(
  ([name, member]) => [name, errorRef(name as CoreErrorType, member)] as const,
);

/** Types that get a field for an object of the journal where the type of that object is. */
export const { IdempotencyConflict: IdempotencyConflictRef, OutcomeUnknown: OutcomeUnknownRef } =
  Object.fromEntries(refs) as Record<CoreErrorType, ReturnType<typeof errorRef>>;
