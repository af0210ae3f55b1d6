import { allAccessScopes } from '../../kernel/caller.ts';
import { maxItems } from '../../schema/arguments.ts';
import { builder, enumRef, needs } from '../../schema/builder.ts';
import { nullableFields, requiredFields } from '../../schema/fields.ts';
import { LimitScopeRef } from '../../schema/user-error.ts';
import { MoneyRef } from '../../schema/values.ts';
import { type GatewayInfo, gatewayInfo, type LimitsOfScope, type UpstreamApi } from './service.ts';

/** Who may know what limits purchases, and why they are stopped. */
const buyers = ['domains:spend', 'ops'] as const;

const GatewayEnvironmentRef = enumRef('GatewayEnvironment', 'Whether purchases cost money.', {
  SANDBOX: 'The gateway is connected to a sandbox: nothing costs money.',
  LIVE: 'The gateway is connected to the registrar: purchases cost money.',
});

const SpendLimitsRef = builder.objectRef<LimitsOfScope>('SpendLimits').implement({
  description:
    'Limits of purchases. A null field sets no limit. Limits of money count the cost, which is what the registrar charges: a cost in a currency without an entry is refused.',
  fields: (t) => ({
    ...requiredFields(t, LimitScopeRef, { scope: 'Whose purchases the limits count.' }),
    ...nullableFields(t, [MoneyRef], {
      perCall: 'Highest cost of one purchase.',
      perDay: 'Highest sum of the costs of the purchases of 24 hours.',
    }),
    ...nullableFields(t, 'Int', {
      perHour: 'Highest number of purchases in 60 minutes.',
      longestPeriod: 'Highest number of years of one purchase.',
    }),
    ...nullableFields(t, ['String'], {
      tlds: 'The TLDs that may be bought, without a leading dot.',
    }),
  }),
});

const UpstreamApiNameRef = enumRef('UpstreamApiName', 'An API of the registrar.', {
  DOMAIN: 'Domains, contacts, prices and the reseller account.',
  ACCOUNT: 'Carts, hosting groups, logs and sessions.',
});

const UpstreamApiStateRef = enumRef('UpstreamApiState', 'Whether calls are sent to an API.', {
  AVAILABLE: 'Calls are sent.',
  FAILING: 'The circuit breaker of at least one action is open or half-open: see `failingActions`.',
  PAUSED: 'The registrar requested a pause by `Retry-After`. No call is sent until `resumesAt`.',
  LOGIN_REFUSED:
    'The registrar refused the login of the gateway. No call is sent until `resumesAt`.',
});

const UpstreamApiRef = builder.objectRef<UpstreamApi>('UpstreamApi').implement({
  description:
    'For operators: an API of the registrar, as one process of the gateway knows it from its earlier calls for this account.',
  fields: (t) => ({
    ...requiredFields(t, UpstreamApiNameRef, { api: 'Which API.' }),
    ...requiredFields(t, UpstreamApiStateRef, { state: 'Whether calls are sent.' }),
    ...requiredFields(t, ['String'], {
      failingActions:
        'Actions whose circuit breaker is open or half-open, in alphabetical order. Calls of an open one are refused without being sent.',
    }),
    ...nullableFields(t, 'DateTime', {
      resumesAt: 'Time at which calls are sent again; null without a pause.',
      respondedAt: 'Time of the last usable reply; null before the first.',
    }),
    ...requiredFields(t, 'Int', {
      inFlight: 'Number of calls in flight.',
      waiting: 'Number of calls in the queue.',
      concurrencyLimit:
        'Calls that may be in flight: UPSTREAM_CONCURRENCY, or fewer while the registrar is overloaded.',
    }),
  }),
});

export const GatewayInfoRef = builder.objectRef<GatewayInfo>('GatewayInfo').implement({
  description: 'The gateway: its environment, and the rights and limits of the caller.',
  fields: (t) => ({
    ...requiredFields(t, GatewayEnvironmentRef, { environment: 'Whether purchases cost money.' }),
    ...requiredFields(t, 'String', {
      version: 'Version of the gateway, such as `0.2.0`.',
      tenant: 'Name of the tenant of the caller: the reseller account that its requests use.',
    }),
    ...nullableFields(t, 'String', {
      caller:
        'Name of the API key, or issuer and subject of the token; null when the gateway requires no credential.',
      customer: 'The customer to whom the caller is bound; null for a caller of the reseller.',
    }),
    ...requiredFields(t, ['String'], {
      scopes: 'Scopes that the caller can use, such as `domains:read`, in alphabetical order.',
    }),
    maxUpstreamCalls: t.exposeInt('upstreamCalls', {
      nullable: false,
      description: 'Maximum number of upstream calls of one request.',
    }),
    maxPageSize: t.int({
      nullable: false,
      description: 'Highest `first` or `last` of a connection, except `tlds`.',
      resolve: () => maxItems,
    }),
    spendLimits: t.field({
      ...needs(...buyers),
      type: [SpendLimitsRef],
      description: "The spend limits of the gateway and of the caller's key; empty without any.",
      resolve: ({ spendLimits }) => spendLimits,
    }),
    spendLeft: t.field({
      ...needs(...buyers),
      type: [MoneyRef],
      description:
        'Amounts that may still be spent within the limits of 24 hours, one per allowed currency; null without such a limit. For a caller that is bound to a customer within the limits of its key.',
      resolve: (info) => info.spendLeft(),
    }),
    upstream: t.field({
      ...needs('ops'),
      type: [UpstreamApiRef],
      description:
        'For operators: the APIs of the registrar, from earlier calls; without the Account API when none is configured.',
      resolve: (info) => info.upstream(),
    }),
    purchasesStoppedSince: t.field({
      type: 'DateTime',
      description:
        'Time at which the operator stopped all purchases of the account; null while purchases are allowed.',
      resolve: async (info) => (await info.purchasesStopped())?.since,
    }),
    purchasesStoppedReason: t.string({
      ...needs(...buyers),
      description: "The operator's reason; null while purchases are allowed.",
      resolve: async (info) => (await info.purchasesStopped())?.reason,
    }),
  }),
});

builder.queryField('gateway', (t) =>
  t.field({
    ...needs(...allAccessScopes),
    type: GatewayInfoRef,
    nullable: false,
    description: "The gateway's environment, and the caller's rights and limits. Calls: none.",
    resolve: (_root, _args, { use }) => use(gatewayInfo),
  }),
);
