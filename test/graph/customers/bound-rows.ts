import { globalId } from '../../../src/kernel/global-id.ts';
import { ada } from '../../support/ada.ts';
import { defaults } from '../orders/order-shop.ts';
import { order, transferCode } from '../purchases/shop.ts';
import type { Target } from './bound-shop.ts';

export type Document = string | readonly [document: string, variables: object];

/**
 * How a root field responds to a caller of a customer.
 *
 * - `as`: data of the account; a foreign name, id, key or cursor has the response of an unknown one, in as many calls
 * - `public`: the response is that of a caller that is bound to no customer
 * - `refused`: FORBIDDEN, whatever scopes the caller has
 */
type Row =
  | { readonly as: (target: Target) => Document }
  | { readonly public: (target: Target) => Document }
  | { readonly refused: Document };

const errors = 'errors { code message path executed retryable upstreamCode upstreamMessage }';
const people = 'registrant { email company firstName }';
const domain = `id name state nameServers authCode contacts { ${people} } customer labels { name }
  purchases { totalCount } events { totalCount }`;
const purchase =
  'id key domainName price { amount } state domain { id } order { id } errors { message }';
const coverage = 'coverage { complete known listed oldestRowAt }';
const cut = 'totalCount pageInfo { hasNextPage hasPreviousPage startCursor endCursor }';
const byBoth = (id: string, key: string, fields: string, field: string) =>
  `{ id: ${field}(by: { id: "${id}" }) { ${fields} } key: ${field}(by: { key: "${key}" }) { ${fields} } }`;
const pages = (field: string, cursor: string, fields: string) =>
  `{ after: ${field}(after: "${cursor}") { ${cut} nodes { ${fields} } } before: ${field}(before: "${cursor}", last: 9) { ${cut} nodes { ${fields} } } }`;
const mutate = (field: string, input: string, fields = '') =>
  `mutation { ${field}(input: { ${input} }) { ${fields} ${errors} } }`;
const withInput = (field: string, type: string, input: object, fields = '') =>
  [
    `mutation ($input: ${type}!) { ${field}(input: $input) { ${fields} ${errors} } }`,
    { input },
  ] as const;
const lines = ({ name }: Target) => [
  { registration: { domain: name } },
  { transfer: { domain: `x-${name}`, authCode: transferCode } },
];
const orderInput = (target: Target) => ({ defaults, lines: lines(target) });
/** What a payload without a domain does not have. */
const nodes = (target: Target) => [
  ...['Domain', 'DomainContacts'].map((type) => globalId(type, target.name)),
  globalId('Contact', `${target.name}/registrant`),
  ...[target.purchase, target.order, target.change, target.webhook, target.profile],
  target.approval,
  target.feed,
];
const quote =
  'affordable totals { currency } lines { domainName errors { code message upstreamMessage } } errors { code message }';

/** By type and field. */
export const rows: Readonly<Record<string, Row>> = {
  'Query.searchDomains': {
    public: ({ label }) =>
      `{ searchDomains(labels: ["${label}"], tlds: ["com", "net"]) { availability { name state reason price { amount } } } }`,
  },
  'Query.availability': {
    public: ({ name }) => `{ availability(name: "${name}") { state reason } }`,
  },
  'Query.availabilities': {
    public: ({ name }) => `{ availabilities(names: ["${name}", "a.com"]) { state reason } }`,
  },
  'Query.tld': { public: () => '{ tld(name: "com") { prices { price { amount } } } }' },
  'Query.tlds': { public: () => '{ tlds(first: 5) { totalCount nodes { name } } }' },
  'Query.quoteOrder': {
    as: (target) => [
      `query ($input: QuoteOrderInput!) { quoteOrder(input: $input) { ${quote} } }`,
      { input: orderInput(target) },
    ],
  },
  'Query.purchase': { as: (t) => byBoth(t.purchase, t.purchaseKey, purchase, 'purchase') },
  'Query.purchases': { as: (t) => pages('purchases', t.cursors.purchase, purchase) },
  'Query.order': { as: (t) => byBoth(t.order, t.orderKey, 'id key lines { domainName }', 'order') },
  'Query.orders': {
    as: (t) => pages('orders', t.cursors.job, 'id key lines(first: 9) { domainName }'),
  },
  'Query.domain': {
    as: ({ name }) =>
      `{ domain(name: "${name}") { ${domain} } fresh: domain(name: "${name}", refresh: true) { ${domain} } }`,
  },
  'Query.domains': {
    as: ({
      label,
      cursors,
    }) => `{ domains(filter: { contains: "${label}" }) { ${coverage} ${cut} nodes { name } }
      customer: domains(filter: { customer: "bolt" }) { totalCount } ${pages('domains', cursors.domain, 'name').slice(1)}`,
  },
  'Query.domainsByName': {
    as: ({ name }) => `{ domainsByName(names: ["${name}"]) { ${domain} }
      many: domainsByName(names: ["${name}", "a-${name}", "b-${name}", "reseller-demo.com", "d-${name}", "e-${name}"]) { name } }`,
  },
  'Query.domainStats': {
    as: ({ label }) => `{ domainStats(filter: { contains: "${label}" }) { totalCount ${coverage}
      byTld { value count } byNameServer { value count } byExpiryMonth { value } renewals(months: 2) { count totals { amount } } }
      all: domainStats { totalCount byNameServer { value count } byTld { value count } byState { state count } } }`,
  },
  'Query.previewBulkChange': {
    as: ({
      name,
      label,
    }) => `{ previewBulkChange(names: ["${name}"], change: { privacyProtected: true }) { count unchanged ${coverage}
      sample { domainName domain { id } before { text privacyProtected } } ${errors} }
      filter: previewBulkChange(filter: { contains: "${label}" }, change: { privacyProtected: true }) { count ${errors} } }`,
  },
  'Query.bulkChange': {
    as: (t) => byBoth(t.change, t.changeKey, 'id key items(first: 9) { domainName }', 'bulkChange'),
  },
  'Query.bulkChanges': { as: (t) => pages('bulkChanges', t.cursors.job, 'id key') },
  'Query.contactProfiles': {
    as: ({ cursors }) =>
      pages('contactProfiles', cursors.profile, 'id name customer contact { company }'),
  },
  'Query.approvals': {
    as: ({ cursors }) => pages('approvals', cursors.purchase, 'id domainName customer'),
  },
  'Query.purchaseDefaults': {
    as: ({ customer }) =>
      `{ purchaseDefaults(customer: "${customer}") { nameServers profile { id } } own: purchaseDefaults { nameServers profile { id } } }`,
  },
  'Query.calendarFeeds': {
    as: ({ customer }) => `{ calendarFeeds(customer: "${customer}") { id name customer } }`,
  },
  'Query.events': {
    as: ({
      name,
      cursors,
    }) => `{ events(filter: { domain: "${name}" }) { ${cut} nodes { id } } customer: events(filter: { customer: "bolt" }) { totalCount }
        all: events { ${cut} nodes { domainName } }
      ${pages('events', cursors.event, 'id').slice(1)}`,
  },
  'Query.reseller': { refused: '{ reseller { balance { money { amount } } } }' },
  'Query.auditLog': { refused: '{ auditLog { totalCount } }' },
  'Query.gateway': {
    as: () =>
      '{ gateway { tenant caller limits { spend { scope } } spendLeft { amount } purchasesStopped { reason } upstream { inFlight } } }',
  },
  'Query.node': {
    as: (t) =>
      `{ ${nodes(t)
        .map((id, at) => `n${at}: node(id: "${id}") { id }`)
        .join(' ')} }`,
  },
  'Query.nodes': { as: (t) => `{ nodes(ids: ${JSON.stringify(nodes(t))}) { id } }` },
  'Query.webhook': {
    as: (t) => `{ webhook(id: "${t.webhook}") { url description deliveries { eventId } } }`,
  },
  'Query.webhooks': { as: () => '{ webhooks { url description deliveries { eventId } } }' },
  'Mutation.registerDomain': {
    as: ({ name }) =>
      withInput(
        'registerDomain',
        'RegisterDomainInput',
        order({ domain: name, idempotencyKey: 'bolt-key' }),
        'purchase { id } keyUsed replayed',
      ),
  },
  'Mutation.transferDomain': {
    as: ({ name }) =>
      withInput(
        'transferDomain',
        'TransferDomainInput',
        { domain: name, authCode: 'No-Such-Code-1', dryRun: true, idempotencyKey: 'bolt-key' },
        'purchase { id } keyUsed replayed',
      ),
  },
  'Mutation.cancelPurchase': {
    as: (t) => mutate('cancelPurchase', `id: "${t.purchase}"`, 'purchase { id }'),
  },
  'Mutation.placeOrder': {
    as: (target) =>
      withInput(
        'placeOrder',
        'PlaceOrderInput',
        { defaults, lines: lines(target).slice(0, 1), idempotencyKey: 'bolt-order' },
        `order { id } keyUsed replayed quote { ${quote} }`,
      ),
  },
  'Mutation.cancelOrder': {
    as: (t) => mutate('cancelOrder', `id: "${t.order}"`, 'cancelled order { id }'),
  },
  'Mutation.retryOrder': {
    as: (t) =>
      mutate('retryOrder', `by: { key: "${t.orderKey}" }, idempotencyKey: "again"`, 'order { id }'),
  },
  'Mutation.setNameServers': {
    as: ({ name }) =>
      mutate(
        'setNameServers',
        `domain: "${name}", nameServers: ["a.hosts.net", "b.hosts.net"]`,
        `domain { ${domain} }`,
      ),
  },
  'Mutation.setPrivacyProtection': {
    as: ({ name }) =>
      mutate(
        'setPrivacyProtection',
        `domain: "${name}", privacyProtected: true`,
        `domain { ${domain} }`,
      ),
  },
  'Mutation.disableTransferLock': {
    as: ({ name }) => mutate('disableTransferLock', `domain: "${name}"`, `domain { ${domain} }`),
  },
  'Mutation.addChildNameServer': {
    as: ({ name }) =>
      mutate(
        'addChildNameServer',
        `domain: "${name}", nameServer: "ns1.${name}", ipAddress: "192.5.6.30"`,
        `domain { ${domain} }`,
      ),
  },
  'Mutation.syncDomain': {
    as: ({ name }) =>
      mutate(
        'syncDomain',
        `domain: "${name}"`,
        `domain { ${domain} } changes { field } drift { field }`,
      ),
  },
  'Mutation.trackDomains': {
    refused: mutate('trackDomains', 'names: ["bolt-harbor.com"]', 'added alreadyKnown'),
  },
  'Mutation.setDomainCustomer': {
    refused: mutate('setDomainCustomer', 'domains: ["bolt-harbor.com"], customer: "acme"'),
  },
  'Mutation.labelDomains': {
    as: ({ name }) =>
      mutate(
        'labelDomains',
        `domains: ["${name}"], set: [{ name: "a", value: "b" }]`,
        `domains { ${domain} }`,
      ),
  },
  'Mutation.changeDomains': {
    as: ({ label }) =>
      mutate(
        'changeDomains',
        `idempotencyKey: "bolt-change", filter: { contains: "${label}" }, expectedCount: 1, change: { sync: true }`,
        'bulkChange { id } replayed',
      ),
  },
  'Mutation.cancelBulkChange': {
    as: (t) => mutate('cancelBulkChange', `key: "${t.changeKey}"`, 'cancelled bulkChange { id }'),
  },
  'Mutation.retryBulkChange': {
    as: (t) => mutate('retryBulkChange', `id: "${t.change}"`, 'retried bulkChange { id }'),
  },
  'Mutation.saveContactProfile': {
    as: ({ profile }) =>
      withInput('saveContactProfile', 'SaveContactProfileInput', {
        ...{ id: profile, name: 'Office', contact: ada },
      }),
  },
  'Mutation.deleteContactProfile': {
    as: ({ profile }) => mutate('deleteContactProfile', `id: "${profile}"`, 'deleted'),
  },
  'Mutation.setDefaults': {
    as: ({ profile, customer }) =>
      `mutation { profile: setDefaults(input: { profile: "${profile}" }) { defaults { profile { id } } ${errors} }
        customer: setDefaults(input: { customer: "${customer}", transferLocked: true }) { defaults { nameServers } ${errors} } }`,
  },
  'Mutation.approve': { refused: mutate('approve', 'id: "a"') },
  'Mutation.reject': { refused: mutate('reject', 'id: "a"') },
  'Mutation.createCart': {
    refused: mutate(
      'createCart',
      'items: [{ description: "a", quantity: "1", unitPrice: "1", productType: "a" }]',
    ),
  },
  'Mutation.createCartFromQuote': {
    refused: withInput('createCartFromQuote', 'CreateCartFromQuoteInput', {
      lines: [{ registration: { domain: 'a.com' } }],
    }),
  },
  'Mutation.updateHostingGroup': { refused: mutate('updateHostingGroup', 'id: "1", name: "a"') },
  'Mutation.deleteHostingGroup': { refused: mutate('deleteHostingGroup', 'confirm: true') },
  'Mutation.deleteLogs': { refused: mutate('deleteLogs', 'confirm: true') },
  'Mutation.logout': { refused: `mutation { logout { ${errors} } }` },
  'Mutation.createCalendarFeed': {
    as: ({ customer }) =>
      mutate(
        'createCalendarFeed',
        `name: "mine", customer: "${customer}"`,
        'feed { id } secretPath',
      ),
  },
  'Mutation.deleteCalendarFeed': {
    as: ({ feed }) => mutate('deleteCalendarFeed', `id: "${feed}"`, 'deletedId'),
  },
  'Mutation.createWebhook': {
    as: (t) =>
      mutate(
        'createWebhook',
        `url: "${t.hookUrl}", types: [PRICE_CHANGED]`,
        'webhook { customer types }',
      ),
  },
  'Mutation.updateWebhook': {
    as: (t) =>
      mutate('updateWebhook', `id: "${t.webhook}", description: "mine"`, 'webhook { url }'),
  },
  'Mutation.deleteWebhook': {
    as: (t) => mutate('deleteWebhook', `id: "${t.webhook}", confirm: true`, 'deletedId'),
  },
  'Mutation.testWebhook': {
    as: (t) => mutate('testWebhook', `id: "${t.webhook}"`, 'delivery { status }'),
  },
  'Mutation.rotateWebhookSecret': {
    as: (t) => mutate('rotateWebhookSecret', `id: "${t.webhook}"`, 'secret webhook { url }'),
  },
  'Mutation.redeliverWebhookEvent': {
    as: (t) =>
      mutate(
        'redeliverWebhookEvent',
        `id: "${t.webhook}", eventId: "${t.event}"`,
        'delivery { status }',
      ),
  },
  'Subscription.purchaseSettled': {
    as: (t) => `subscription { purchaseSettled(id: "${t.purchase}") { ${purchase} } }`,
  },
  'Subscription.orderProgress': {
    as: (t) => `subscription { orderProgress(id: "${t.order}") { order { key } } }`,
  },
  'Subscription.bulkChangeProgress': {
    as: (t) => `subscription { bulkChangeProgress(id: "${t.change}") { bulkChange { key } } }`,
  },
  'Subscription.events': {
    as: (t) => `subscription { events(after: "${t.cursors.event}") { id domainName } }`,
  },
  'Subscription.searchDomains': {
    public: ({ label }) =>
      `subscription { searchDomains(labels: ["${label}"], tlds: ["com"]) { availability { name state } } }`,
  },
};

/** The document of a field about the target. */
export function documentOf(field: string, target: Target): Document {
  const row = rows[field];
  if (!row) throw new Error(`bound-rows.ts has no row for ${field}.`);
  if ('refused' in row) return row.refused;
  return 'as' in row ? row.as(target) : row.public(target);
}
