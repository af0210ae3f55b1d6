import {
  bought,
  changed,
  checked,
  named,
  person,
  registration,
  settled,
  transfer,
} from './documents.ts';
import { costOf, type FieldCost } from './field-cost.ts';

const hosts = (label: string) =>
  `mutation { ${named('setNameServers', `, nameServers: ["${label}.example.com", "${label}.example.net"]`)} { nameServers } }`;
const child = (label: string) =>
  `mutation { ${named('addChildNameServer', `, nameServer: "${label}.reseller-demo.com", ipAddress: "192.5.6.31"`)} { childNameServer { name } } }`;
const renaming =
  'mutation { updateHostingGroup(input: { id: "hg_demo_1", name: "Renamed" }) { hostingGroup { name } } }';

/** A mutation without upstream calls; `rest` is its input with its selection. */
const local = (name: string, rest: string, calls = 'none: writes the journal'): FieldCost =>
  costOf(`Mutation.${name}`, calls, `mutation { ${name}${rest} }`);

/** Every root field of `Mutation`. */
export const mutationCosts: readonly FieldCost[] = [
  {
    field: 'Mutation.registerDomain',
    calls:
      '1 `tldlist`, 1 `resellerdetails`, 1 `singlecheckavailability`, 1 `getdetails`, 1 `registerdomain`',
    exceptions:
      '1 more `getdetails` when the reply was lost. A dry run makes the first three, and 1 `getdetails` when the name is taken. A known idempotency key makes none',
    measured: [
      {
        document: `mutation { ${registration('maple-harbor.com', 'purchase { state }')} }`,
        counts: { ...bought, getdetails: 1, registerdomain: 1 },
        counted: 6,
      },
      {
        document: `mutation { ${registration('lost-answer-harbor.com', 'purchase { state }')} }`,
        counts: { ...bought, registerdomain: 1, getdetails: 2 },
      },
      {
        document: `mutation { ${registration('maple-orchard.com', 'quote { highest { amount } }', ', dryRun: true')} }`,
        counts: bought,
      },
      { before: settled('cost-4'), document: settled('cost-4'), counts: {}, counted: 6 },
    ],
  },
  {
    field: 'Mutation.transferDomain',
    calls:
      '1 `tldlist`, 1 `resellerdetails`, 1 `singlecheckavailability`, 2 `getdetails`, 1 `transferdomain`',
    exceptions: 'as `registerDomain`; a dry run makes 1 `getdetails`',
    measured: [
      {
        document: `mutation { ${transfer(', dryRun: true')} { quote { highest { amount } } } }`,
        counts: checked,
      },
      {
        document: `mutation { ${transfer('')} { purchase { state } } }`,
        counts: { ...checked, getdetails: 2, transferdomain: 1 },
        counted: 7,
      },
    ],
  },
  local('cancelPurchase', '(input: { id: "none" }) { errors { code } }'),
  {
    ...costOf(
      'Mutation.placeOrder',
      'as the query `quoteOrder`; after the response 1 `getdetails` and 1 `registerdomain` or `transferdomain` per line',
      `mutation { placeOrder(input: { idempotencyKey: "refused", maxTotal: [{ amount: "1", currency: "USD" }]
          lines: [{ registration: { domain: "order-one.com" } }, { registration: { domain: "order-two.com" } }]
          defaults: { nameServers: ["ns1.example.com", "ns2.example.com"], registrant: { fields: ${person} } } }) { errors { code } } }`,
      { tldlist: 1, resellerdetails: 1, bulkcheckavailability: 1 },
    ),
    exceptions:
      'a lost reply: 1 more `getdetails`. A line that waits for more than five minutes is checked again. A known idempotency key makes none',
  },
  costOf(
    'Mutation.createCartFromQuote',
    'as the query `quoteOrder`, and 1 `POST /carts`',
    `mutation { createCartFromQuote(input: { lines: [
          { registration: { domain: "cart-one.com" } }, { registration: { domain: "cart-two.com" } }
        ] }) { cart { total } errors { code } } }`,
    { tldlist: 1, resellerdetails: 1, bulkcheckavailability: 1, 'POST /carts': 1 },
  ),
  local('cancelOrder', '(input: { id: "none" }) { cancelled }'),
  {
    field: 'Mutation.retryOrder',
    calls: 'as `placeOrder`, for the lines that are placed again',
    exceptions:
      'the estimate is 22 calls, and one for each of up to four auth codes or one for more, whatever the order has',
    measured: [
      {
        document:
          'mutation { retryOrder(input: { by: { key: "none" }, idempotencyKey: "again" }) { errors { code } } }',
        counts: {},
        counted: 22,
      },
    ],
  },
  {
    field: 'Mutation.setNameServers',
    calls: '1 `modifynameserver`',
    exceptions:
      'reply lost: 1 `getdetails`; where that does not show the change, 1 more `modifynameserver`, and 1 more `getdetails` when that reply is lost too. Refused as `LOCKED`: 1 `getdetails` for the status',
    measured: [
      { document: hosts('one'), counts: { modifynameserver: 1 } },
      {
        fault: { fault: 'lost-answer', action: 'modifynameserver' },
        document: hosts('two'),
        counts: { modifynameserver: 1, getdetails: 1 },
      },
      {
        fault: { fault: 'reset', action: 'modifynameserver' },
        document: hosts('three'),
        counts: { modifynameserver: 2, getdetails: 1 },
      },
      {
        fault: { fault: 'reset', action: 'modifynameserver', times: 2 },
        document: hosts('four'),
        counts: { modifynameserver: 2, getdetails: 2 },
      },
    ],
  },
  {
    field: 'Mutation.addChildNameServer',
    calls: '1 `addchildnameserver`',
    exceptions: '1 `getdetails` when the host exists already; lost replies as for `setNameServers`',
    measured: [
      { document: child('ns7'), counts: { addchildnameserver: 1 }, counted: 2 },
      { document: child('ns7'), counts: { addchildnameserver: 1, getdetails: 1 } },
      {
        fault: { fault: 'reset', action: 'addchildnameserver', times: 2 },
        document: child('ns8'),
        counts: { addchildnameserver: 2, getdetails: 2 },
      },
    ],
  },
  {
    field: 'Mutation.disableTransferLock',
    calls: '1 `disabletheftlock`',
    exceptions: 'lost replies as for `setNameServers`',
    measured: [
      {
        document: `mutation { ${named('disableTransferLock')} { transferLocked } }`,
        counts: { disabletheftlock: 1 },
      },
      {
        fault: { fault: 'lost-answer', action: 'disabletheftlock' },
        document: `mutation { ${named('disableTransferLock')} { transferLocked } }`,
        counts: { disabletheftlock: 1, getdetails: 1 },
      },
    ],
  },
  {
    field: 'Mutation.setPrivacyProtection',
    calls: '1 `modifyprivacystatus`',
    exceptions: 'lost replies as for `setNameServers`',
    measured: [
      {
        document: `mutation { ${named('setPrivacyProtection', ', privacyProtected: true')} { privacyProtected } }`,
        counts: { modifyprivacystatus: 1 },
      },
      {
        fault: { fault: 'reset', action: 'modifyprivacystatus', times: 2 },
        document: `mutation { ${named('setPrivacyProtection', ', privacyProtected: false')} { privacyProtected } }`,
        counts: { modifyprivacystatus: 2, getdetails: 2 },
      },
    ],
  },
  costOf(
    'Mutation.syncDomain',
    '1 `syncfromregistry`',
    `mutation { ${named('syncDomain')} { registry { status nameServers } } }`,
    { syncfromregistry: 1 },
  ),
  {
    field: 'Mutation.changeDomains',
    calls: 'none for `names`; 1 `getdomainlist` for a `filter`',
    exceptions:
      'later, for each domain: 1 `getdetails`, and 1 `modifynameserver`, `modifyprivacystatus` or `syncfromregistry` unless the domain has the value already; lost replies as for `setNameServers`',
    measured: [
      { before: changed('cost-8'), document: changed('cost-8'), counts: {} },
      {
        document:
          'mutation { changeDomains(input: { idempotencyKey: "cost-9", filter: { contains: "demo" }, expectedCount: 0, change: { sync: true } }) { errors { code } } }',
        counts: { getdomainlist: 1 },
      },
    ],
  },
  {
    ...local('trackDomains', '(input: { names: ["maple-harbor.com"] }) { added }'),
    exceptions: 'later one `getdetails` for each domain that the list leaves out',
  },
  {
    ...costOf(
      'Mutation.setDomainCustomer',
      'none: writes the journal',
      'mutation { setDomainCustomer(input: { domains: ["reseller-demo.com"], customer: "acme" }) { domains { name } } }',
      { getdomainlist: 1 },
    ),
    exceptions: '1 `getdomainlist` for a domain that the gateway does not know, and for `domains`',
  },
  {
    ...costOf(
      'Mutation.labelDomains',
      'none: writes the journal',
      'mutation { labelDomains(input: { domains: ["unknown-demo.com"], set: [{ name: "team" }] }) { errors { code } } }',
      { getdomainlist: 1 },
    ),
    exceptions: 'as `setDomainCustomer`',
  },
  local(
    'saveContactProfile',
    `(input: { name: "Office", contact: ${person} }) { errors { code } }`,
  ),
  local('deleteContactProfile', '(input: { id: "unknown" }) { errors { code } }'),
  local('setDefaults', '(input: { transferLocked: true }) { errors { code } }'),
  local(
    'approve',
    '(input: { id: "unknown" }) { errors { code } }',
    'none: writes the journal; the gateway then sends the purchase, the order or the bulk change',
  ),
  local('reject', '(input: { id: "unknown" }) { errors { code } }'),
  local('createCalendarFeed', '(input: { name: "Expiry" }) { feed { id } }'),
  local('deleteCalendarFeed', '(input: { id: "unknown" }) { errors { code } }'),
  local(
    'createWebhook',
    '(input: { url: "https://203.0.114.7/" }) { webhook { id } }',
    'none: writes the journal, and resolves the host',
  ),
  local('updateWebhook', '(input: { id: "unknown", resume: true }) { errors { code } }'),
  local('rotateWebhookSecret', '(input: { id: "unknown" }) { errors { code } }'),
  local('deleteWebhook', '(input: { id: "unknown", confirm: true }) { errors { code } }'),
  local(
    'testWebhook',
    '(input: { id: "unknown" }) { errors { code } }',
    'none: one request to the endpoint',
  ),
  local(
    'redeliverWebhookEvent',
    '(input: { id: "unknown", eventId: "unknown" }) { errors { code } }',
    'none: one request to the endpoint',
  ),
  {
    field: 'Mutation.cancelBulkChange',
    calls: 'none: writes the journal',
    measured: [
      {
        before: changed('cost-8'),
        document:
          'mutation ($id: ID!) { cancelBulkChange(input: { id: $id }) { errors { code } } }',
        counts: {},
      },
    ],
  },
  {
    field: 'Mutation.retryBulkChange',
    calls: 'none: writes the journal',
    exceptions: 'later those of `changeDomains` for each domain that is tried again',
    measured: [
      {
        before: changed('cost-8'),
        document: 'mutation ($id: ID!) { retryBulkChange(input: { id: $id }) { errors { code } } }',
        counts: {},
      },
    ],
  },
  costOf(
    'Mutation.createCart',
    '1 `POST /carts`',
    'mutation { createCart(input: { items: [{ description: "Hosting", quantity: "2", unitPrice: "30", productType: "hosting" }] }) { cart { id } } }',
    { 'POST /carts': 1 },
  ),
  {
    field: 'Mutation.updateHostingGroup',
    calls: '1 `PATCH /hosting/group/{id}`',
    exceptions: '1 more when the reply was lost or the request was not sent',
    measured: [
      { document: renaming, counts: { 'PATCH /hosting/group/{id}': 1 } },
      {
        fault: { fault: 'reset', action: 'PATCH /hosting/group/{id}', times: 2 },
        document: renaming,
        counts: { 'PATCH /hosting/group/{id}': 2 },
      },
    ],
  },
  {
    field: 'Mutation.deleteHostingGroup',
    calls: '1 `DELETE /hosting/group`',
    measured: [
      {
        document: 'mutation { deleteHostingGroup(input: { confirm: true }) { deleted } }',
        counts: { 'DELETE /hosting/group': 1 },
      },
      {
        document: 'mutation { deleteHostingGroup(input: { confirm: false }) { errors { code } } }',
        counts: {},
        counted: 1,
      },
    ],
  },
  costOf(
    'Mutation.deleteLogs',
    '1 `DELETE /logs`',
    'mutation { deleteLogs(input: { confirm: true }) { deleted } }',
    { 'DELETE /logs': 1 },
  ),
  costOf('Mutation.logout', '1 `POST /auth/logout`', 'mutation { logout { loggedOut } }', {
    'POST /auth/logout': 1,
  }),
];
