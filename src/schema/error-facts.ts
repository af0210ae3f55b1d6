import type { LimitName } from '../kernel/faults.ts';
import { enumRef, type ObjectFieldBuilder } from './builder.ts';
import { nullableFields } from './member-fields.ts';
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
  nullableFields(t, 'Int', {
    retryAfterMs:
      'Milliseconds to wait before the next request, as the registrar or the gateway requires; null without a required wait.',
  });

export const bounds = (t: MemberFieldBuilder) =>
  nullableFields(t, 'Int', {
    minimum: 'Lowest period in years; null when the registrar does not report it.',
    maximum: 'Highest period in years; null when the registrar does not report it.',
  });

/** The limit that a purchase would exceed, and its current use. */
export const spendLimitFacts = (t: MemberFieldBuilder) => ({
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
});

/** The time and the reason of the purchase stop. */
export const stopFacts = (t: MemberFieldBuilder) => ({
  ...nullableFields(t, 'DateTime', { since: 'Time at which the operator stopped purchases.' }),
  ...nullableFields(t, 'String', { reason: "The operator's reason." }),
});
