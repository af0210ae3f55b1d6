import type { FaultMoney, LimitName } from '../kernel/faults.ts';
import type { Money } from '../kernel/money.ts';
import { builder, type needs, type ObjectFieldBuilder } from './builder.ts';
import type { UserError } from './user-error.ts';
import { MoneyRef } from './values.ts';

const LimitNameRef = builder.enumType('SpendLimit', {
  description: 'The kind of a spend limit.',
  values: {
    PER_CALL: { description: 'The highest price of one purchase.' },
    PER_DAY: { description: 'The sum of the highest prices of the purchases of 24 hours.' },
    PER_HOUR: { description: 'The number of purchases in 60 minutes.' },
    TLDS: { description: 'The TLDs that may be bought.' },
    LONGEST_PERIOD: { description: 'The number of years of one purchase.' },
  } satisfies Record<LimitName, { description: string }>,
});

export const LimitScopeRef = builder.enumType('SpendLimitScope', {
  description: 'Whether a spend limit belongs to the gateway or to an API key.',
  values: {
    GATEWAY: {
      description:
        'A limit of the gateway or of the tenant. It counts the purchases of all callers of the tenant.',
    },
    KEY: { description: "A limit of the caller's API key. It counts the purchases with that key." },
  },
});

const asMoney = (fact: FaultMoney | undefined): Money | null => (fact as Money | undefined) ?? null;

type MoneyFact =
  | 'required'
  | 'available'
  | 'maxPrice'
  | 'lowest'
  | 'highest'
  | 'price'
  | 'allowed'
  | 'spent';
/** The `t` of a type behind `UserError`. */
export type MemberFieldBuilder = ObjectFieldBuilder<UserError>;

export const moneyFact = (
  t: MemberFieldBuilder,
  fact: MoneyFact,
  description: string,
  options: Partial<ReturnType<typeof needs>> = {},
) =>
  t.field({
    ...options,
    type: MoneyRef,
    nullable: true,
    description,
    resolve: ({ facts }) => asMoney(facts[fact]),
  });

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

export const retryAfterMs = (t: MemberFieldBuilder) =>
  t.int({
    description:
      'Milliseconds to wait before the next request, as the registrar or the gateway requires; null without a required wait.',
    resolve: ({ facts }) => facts.retryAfterMs ?? null,
  });

export const bounds = (t: MemberFieldBuilder) => ({
  minimum: t.int({
    description: 'Lowest period in years; null when the registrar does not report it.',
    resolve: ({ facts }) => facts.minimum ?? null,
  }),
  maximum: t.int({
    description: 'Highest period in years; null when the registrar does not report it.',
    resolve: ({ facts }) => facts.maximum ?? null,
  }),
});

/** The limit that a purchase would exceed, and its current use. */
export const spendLimitFacts = (t: MemberFieldBuilder) => ({
  limit: t.field({
    type: LimitNameRef,
    description: 'The kind of limit.',
    resolve: ({ facts }) => facts.limit ?? null,
  }),
  scope: t.field({
    type: LimitScopeRef,
    description: 'Whether the limit belongs to the gateway or to the API key.',
    resolve: ({ facts }) => facts.scope ?? null,
  }),
  price: moneyFact(t, 'price', 'The highest price of the purchase.'),
  allowed: moneyFact(
    t,
    'allowed',
    'The limit for `PER_CALL` and `PER_DAY`; null when nothing may be spent in the currency of the price.',
  ),
  spent: moneyFact(
    t,
    'spent',
    'For `PER_DAY`: the sum of the highest prices in the last 24 hours. Open purchases count, failed ones do not.',
  ),
  allowedCount: t.int({
    description: 'The limit for `PER_HOUR`.',
    resolve: ({ facts }) => facts.allowedCount ?? null,
  }),
  count: t.int({
    description:
      'For `PER_HOUR`: the number of purchases in the last 60 minutes. Open purchases count, failed ones do not.',
    resolve: ({ facts }) => facts.count ?? null,
  }),
  allowedTlds: t.stringList({
    description: 'The limit for `TLDS`: the TLDs that may be bought.',
    resolve: ({ facts }) => (facts.allowedTlds ? [...facts.allowedTlds] : null),
  }),
  allowedPeriod: t.int({
    description: 'The limit for `LONGEST_PERIOD`, in years.',
    resolve: ({ facts }) => facts.allowedPeriod ?? null,
  }),
});

/** The time and the reason of the purchase stop. */
export const stopFacts = (t: MemberFieldBuilder) => ({
  since: t.field({
    type: 'DateTime',
    description: 'Time at which the operator stopped purchases.',
    resolve: ({ facts }) => facts.since ?? null,
  }),
  reason: t.string({
    description: "The operator's reason.",
    resolve: ({ facts }) => facts.reason ?? null,
  }),
});
