import { changed, inProgress, pending, settled } from './documents.ts';
import { costOf, type FieldCost } from './field-cost.ts';

const ofJournal = (name: string, document: string): FieldCost =>
  costOf(`Query.${name}`, 'none: reads the journal', document);

/** Every root field of `Query`. */
export const queryCosts: readonly FieldCost[] = [
  costOf(
    'Query.domain',
    '1 `getdetails` per name',
    '{ domain(name: "reseller-demo.com") { state } again: domain(name: "RESELLER-demo.com.") { name } }',
    { getdetails: 1 },
  ),
  {
    field: 'Query.domainsByName',
    calls: '1 `getdetails` per name; 1 `getdomainlist` from 5 names on',
    exceptions: '1 `getdetails` for each name that an incomplete list leaves out',
    measured: [
      {
        document: '{ domainsByName(names: ["reseller-demo.com", "unlocked-demo.com"]) { name } }',
        counts: { getdetails: 2 },
      },
      {
        document:
          '{ domainsByName(names: ["reseller-demo.com", "unlocked-demo.com", "private-demo.net", "grace-demo.com", "none-demo.com"]) { name } }',
        counts: { getdomainlist: 1 },
        counted: 6,
      },
    ],
  },
  {
    ...costOf(
      'Query.domains',
      '1 `getdomainlist` for all pages, filters and orders of the operation',
      '{ domains(first: 5) { totalCount nodes { name } } late: domains(filter: { expiresBefore: "2100-01-01T00:00:00Z" }) { totalCount } }',
      { getdomainlist: 1 },
    ),
    exceptions:
      'none while a cached list is served; then 1 `getdetails` per domain, for up to 5 domains that this gateway changed since',
  },
  {
    field: 'Query.domainStats',
    calls: '1 `getdomainlist`, shared with `domains`',
    exceptions: '1 `tldlist` for `renewals`',
    measured: [
      {
        document:
          '{ domainStats { totalCount byTld { value count } byNameServer { value } } domains(first: 1) { totalCount } }',
        counts: { getdomainlist: 1 },
      },
      {
        document: '{ domainStats { renewals { month totals { amount } } } }',
        counts: { getdomainlist: 1, tldlist: 1 },
      },
    ],
  },
  {
    field: 'Query.availability',
    calls: '1 `singlecheckavailability`',
    exceptions:
      'several names in one operation share 1 `bulkcheckavailability`; 1 `tldlist` when the registrar returns no result for the name, or cannot parse it',
    measured: [
      {
        document: '{ availability(name: "maple-harbor.com") { state } }',
        counts: { singlecheckavailability: 1 },
      },
      {
        document:
          '{ a: availability(name: "maple-harbor.com") { state } b: availability(name: "casino.com") { state } }',
        counts: { bulkcheckavailability: 1 },
      },
    ],
  },
  {
    field: 'Query.availabilities',
    calls: '1 `bulkcheckavailability` per 100 names',
    exceptions:
      '1 `singlecheckavailability` for a single name; 1 `tldlist`, and 1 `singlecheckavailability` for each of up to 3 names per 100, when the reply omits names with non-ASCII letters',
    measured: [
      {
        document:
          '{ availabilities(names: ["maple-harbor.com", "casino.com", "weather.net"]) { state } }',
        counts: { bulkcheckavailability: 1 },
      },
      {
        document: '{ availabilities(names: ["maple-harbor.com"]) { state } }',
        counts: { singlecheckavailability: 1 },
      },
    ],
  },
  {
    field: 'Query.searchDomains',
    calls: '1 `tldlist`, and `bulkcheckavailability` in batches of 1 to 100 names',
    exceptions:
      '1 bulk check for 50 TLDs of a fast registry; `singlecheckavailability` for a batch of one name; none for names that the price list excludes',
    measured: [
      {
        document:
          '{ searchDomains(labels: ["maple-harbor"], tlds: ["com"]) { quote { highest { amount } } } }',
        counts: { tldlist: 1, singlecheckavailability: 1 },
      },
      {
        document:
          '{ searchDomains(labels: ["maple-harbor"], tlds: ["com", "net", "museum"]) { availability { state tld { name } } } }',
        counts: { tldlist: 1, bulkcheckavailability: 1 },
      },
      {
        document:
          '{ searchDomains(labels: ["maple-harbor.com"], tlds: [], suggestions: 1) { suggested } }',
        counts: { tldlist: 1, bulkcheckavailability: 1 },
      },
      {
        document:
          '{ searchDomains(labels: ["maple-harbor"], tlds: ["museum"]) { availability { name } } }',
        counts: { tldlist: 1 },
        counted: 2,
      },
    ],
  },
  {
    ...costOf(
      'Query.quoteOrder',
      '1 `tldlist`, 1 `resellerdetails`, 1 `bulkcheckavailability` per 100 names, 1 `getdetails` per name to transfer, or 1 `getdomainlist` from 5 of them on',
      `{ quoteOrder(input: { lines: [
          { registration: { domain: "maple-harbor.com" } }, { registration: { domain: "maple-harbor.net" } }
          { transfer: { domain: "outside-shop.com", authCode: "Transfer-Code-01" } }
        ] }) { affordable } }`,
      { tldlist: 1, resellerdetails: 1, bulkcheckavailability: 1, getdetails: 1 },
    ),
    exceptions:
      '1 `singlecheckavailability` for a single name; 1 `getdetails` for each name to register that is taken and each name to transfer that an incomplete list leaves out, while the request has calls left; no `resellerdetails` when no line can be bought',
  },
  costOf(
    'Query.tld',
    '1 `tldlist` for all TLDs and prices of the operation',
    '{ tld(name: "com") { name } other: tld(name: "рф") { prices { period } } }',
    { tldlist: 1 },
  ),
  costOf(
    'Query.tlds',
    '1 `tldlist` for all pages and filters of the operation',
    '{ tlds(first: 3) { nodes { name } } more: tlds(filter: { active: false }) { totalCount } }',
    { tldlist: 1 },
  ),
  costOf('Query.reseller', '1 `resellerdetails`', '{ reseller { name balances { symbol } } }', {
    resellerdetails: 1,
  }),
  {
    field: 'Query.purchase',
    calls: 'none once settled; 1 `getdetails` while `SENDING` or `PENDING`',
    exceptions:
      'while `IN_PROGRESS`: 1 `getdetails` per minute at most, for all clients together; 1 `resellerdetails` when the transfer failed',
    measured: [
      {
        before: settled('cost-1'),
        document: 'query ($id: ID!) { purchase(by: { id: $id }) { state } }',
        counts: {},
        counted: 2,
      },
      {
        before: pending('cost-2'),
        document: 'query ($id: ID!) { purchase(by: { id: $id }) { state } }',
        counts: { getdetails: 1 },
        counted: 2,
      },
      {
        before: inProgress('cost-4'),
        document: 'query ($id: ID!) { purchase(by: { id: $id }) { state } }',
        counts: {},
        counted: 2,
      },
      {
        before: settled('cost-3'),
        document: '{ purchase(by: { key: "cost-3" }) { state } }',
        counts: {},
        counted: 2,
      },
    ],
  },
  {
    field: 'Query.order',
    calls: 'none: reads the journal',
    measured: [
      { document: '{ order(by: { id: "none" }) { state lines { position } } }', counts: {} },
      { document: '{ order(by: { key: "none" }) { state } }', counts: {} },
    ],
  },
  costOf('Query.orders', 'as `order`', '{ orders { totalCount nodes { key state } } }'),
  ofJournal('events', '{ events { totalCount nodes { type domainName } } }'),
  ofJournal('webhook', '{ webhook(id: "unknown") { url } }'),
  ofJournal('webhooks', '{ webhooks { url deliveries { status } } }'),
  ofJournal('calendarFeeds', '{ calendarFeeds { name labels { name } } }'),
  ofJournal('auditLog', '{ auditLog { totalCount nodes { operation } } }'),
  ofJournal('approvals', '{ approvals { totalCount nodes { operation } } }'),
  ofJournal('contactProfiles', '{ contactProfiles { totalCount nodes { contact { email } } } }'),
  ofJournal('purchaseDefaults', '{ purchaseDefaults { profile { name } } }'),
  costOf(
    'Query.gateway',
    'none: reads settings and journal',
    '{ gateway { environment scopes spendLeft { amount } purchasesStopped { since } } }',
  ),
  ofJournal('purchases', '{ purchases { totalCount nodes { key state } } }'),
  costOf(
    'Query.previewBulkChange',
    '1 `getdomainlist`, shared with `domains`',
    '{ previewBulkChange(filter: { contains: "demo" }, change: { privacyProtected: true }) { count sample { domainName } } }',
    { getdomainlist: 1 },
  ),
  {
    field: 'Query.bulkChange',
    calls: 'none: reads the journal',
    measured: [
      {
        before: changed('cost-8'),
        document: 'query ($id: ID!) { bulkChange(by: { id: $id }) { state items { domainName } } }',
        counts: {},
      },
      {
        before: changed('cost-8'),
        document: '{ bulkChange(by: { key: "cost-8" }) { state finishedAt } }',
        counts: {},
      },
    ],
  },
  ofJournal('bulkChanges', '{ bulkChanges { totalCount nodes { key state } } }'),
  {
    field: 'Query.node',
    calls:
      '`Domain`: 1 `getdetails`; `Tld`: 1 `tldlist`; `Reseller`: 1 `resellerdetails`; `Purchase`: as `purchase`; `BulkChange`: none',
    exceptions: '`Contact`: 1 `getdetails`, and 1 `getcontacts` for any field but its id',
    measured: [
      {
        before: '{ domain(name: "reseller-demo.com") { id } }',
        document: 'query ($id: ID!) { node(id: $id) { id ... on Domain { state } } }',
        counts: { getdetails: 1 },
      },
      {
        before: '{ reseller { id } }',
        document: 'query ($id: ID!) { node(id: $id) { id } }',
        counts: { resellerdetails: 1 },
      },
      {
        before: '{ tld(name: "com") { id } }',
        document: 'query ($id: ID!) { node(id: $id) { id } }',
        counts: { tldlist: 1 },
      },
    ],
  },
  {
    field: 'Query.nodes',
    calls: 'as `node`; calls that ids have in common are made once',
    measured: [
      {
        before: '{ tld(name: "com") { id } }',
        document: 'query ($id: ID!) { nodes(ids: [$id, $id]) { id } }',
        counts: { tldlist: 1 },
      },
    ],
  },
];
