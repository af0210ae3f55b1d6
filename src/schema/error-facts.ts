import type { FaultFacts, LimitName } from '../kernel/faults.ts';
import { enumRef, type needs, type ObjectFieldBuilder } from './builder.ts';
import type { UserError } from './user-error.ts';
import { MoneyRef } from './values.ts';

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

/** The `t` of a type behind `UserError`. */
export type MemberFieldBuilder = ObjectFieldBuilder<UserError>;

type FactType =
  | ('DateTime' | 'Int' | 'String')
  | readonly ['String']
  | (typeof LimitNameRef | typeof LimitScopeRef | typeof MoneyRef);

/** Fields with the facts of the same names; null for a fact that a fault does not have. */
export const factFields = <Name extends keyof FaultFacts>(
  t: MemberFieldBuilder,
  type: FactType,
  descriptions: Readonly<Record<Name, string>>,
  options: Partial<ReturnType<typeof needs>> = {},
) => {
  const field = (name: Name) =>
    t.field({
      ...options,
      type: type as 'String',
      nullable: true,
      description: descriptions[name],
      resolve: ({ facts }) => facts[name] as never,
    });
  const names = Object.keys(descriptions) as Name[];
  return Object.fromEntries(names.map((name) => [name, field(name)]));
};

/** The error code and message of the registrar. */
export const upstreamFacts = (t: MemberFieldBuilder) => ({
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

export const retryAfter = (t: MemberFieldBuilder) =>
  factFields(t, 'Int', {
    retryAfterMs:
      'Milliseconds to wait before the next request, as the registrar or the gateway requires; null without a required wait.',
  });

export const bounds = (t: MemberFieldBuilder) =>
  factFields(t, 'Int', {
    minimum: 'Lowest period in years; null when the registrar does not report it.',
    maximum: 'Highest period in years; null when the registrar does not report it.',
  });

/** The limit that a purchase would exceed, and its current use. */
export const spendLimitFacts = (t: MemberFieldBuilder) => ({
  ...factFields(t, LimitNameRef, { limit: 'The kind of limit.' }),
  ...factFields(t, LimitScopeRef, {
    scope: 'Whether the limit belongs to the gateway or to the API key.',
  }),
  ...factFields(t, MoneyRef, {
    price: 'The highest price of the purchase.',
    allowed:
      'The limit for `PER_CALL` and `PER_DAY`; null when nothing may be spent in the currency of the price.',
    spent:
      'For `PER_DAY`: the sum of the highest prices in the last 24 hours. Open purchases count, failed ones do not.',
  }),
  ...factFields(t, 'Int', {
    allowedCount: 'The limit for `PER_HOUR`.',
    count:
      'For `PER_HOUR`: the number of purchases in the last 60 minutes. Open purchases count, failed ones do not.',
    allowedPeriod: 'The limit for `LONGEST_PERIOD`, in years.',
  }),
  ...factFields(t, ['String'], {
    allowedTlds: 'The limit for `TLDS`: the TLDs that may be bought.',
  }),
});

/** The time and the reason of the purchase stop. */
export const stopFacts = (t: MemberFieldBuilder) => ({
  ...factFields(t, 'DateTime', { since: 'Time at which the operator stopped purchases.' }),
  ...factFields(t, 'String', { reason: "The operator's reason." }),
});
