import { inProgress, pending, settled } from './documents.ts';
import type { FieldCost } from './field-cost.ts';

/** Every root field of `Query`. */
export const queryCosts: readonly FieldCost[] = [
  {
    field: 'Query.domain',
    calls: '1 `getdetails`, however often the same name is asked for',
    measured: [
      {
        document:
          '{ domain(name: "reseller-demo.com") { state } again: domain(name: "RESELLER-demo.com.") { name } }',
        counts: { getdetails: 1 },
      },
    ],
  },
  {
    field: 'Query.domainsByName',
    calls:
      '1 `getdetails` a name; from 5 names on 1 `getdomainlist` for them all, and 1 `getdetails` for each that an incomplete list leaves out',
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
    field: 'Query.domains',
    calls:
      '1 `getdomainlist` for every page, filter and order of the operation together; none while a list that was kept serves, but 1 `getdetails` a domain for up to 5 that this gateway has changed since',
    measured: [
      {
        document:
          '{ domains(first: 5) { totalCount nodes { name } } late: domains(filter: { expiresBefore: "2100-01-01T00:00:00Z" }) { totalCount } }',
        counts: { getdomainlist: 1 },
      },
    ],
  },
  {
    field: 'Query.domainStats',
    calls: '1 `getdomainlist`, the same as that of `domains`; for `renewals` 1 `tldlist`',
    measured: [
      {
        document:
          '{ domainStats { totalCount byTld { tld count } byNameServer { host } } domains(first: 1) { totalCount } }',
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
    calls:
      '1 `singlecheckavailability`; several names of one operation share 1 `bulkcheckavailability`',
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
    calls:
      '1 `bulkcheckavailability` for up to 100 names; for a single name 1 `singlecheckavailability`',
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
    calls:
      '1 `tldlist`, and bulk checks of as many names as the registry does in half a second, 1 to 100 each: 1 `bulkcheckavailability` for a page of 50 TLDs of a fast registry; `singlecheckavailability` where that is a single name; what the catalogue rules out costs nothing more',
    measured: [
      {
        document:
          '{ searchDomains(label: "maple-harbor", tlds: ["com"]) { name price { amount } } }',
        counts: { tldlist: 1, singlecheckavailability: 1 },
      },
      {
        document:
          '{ searchDomains(label: "maple-harbor", tlds: ["com", "net", "museum"]) { availability { state } tld { name } } }',
        counts: { tldlist: 1, bulkcheckavailability: 1 },
      },
      {
        document:
          '{ searchDomains(label: "maple-harbor.com", tlds: [], filter: { suggestions: 1 }) { name suggested } }',
        counts: { tldlist: 1, bulkcheckavailability: 1 },
      },
      {
        document: '{ searchDomains(label: "maple-harbor", tlds: ["museum"]) { name } }',
        counts: { tldlist: 1 },
        counted: 2,
      },
    ],
  },
  {
    field: 'Query.tld',
    calls: '1 `tldlist` for all TLDs and prices of the operation',
    measured: [
      {
        document: '{ tld(name: "com") { name } other: tld(name: "рф") { prices { period } } }',
        counts: { tldlist: 1 },
      },
    ],
  },
  {
    field: 'Query.tlds',
    calls: '1 `tldlist` for every page and filter of the operation',
    measured: [
      {
        document:
          '{ tlds(first: 3) { nodes { name } } more: tlds(filter: { active: false }) { totalCount } }',
        counts: { tldlist: 1 },
      },
    ],
  },
  {
    field: 'Query.reseller',
    calls: '1 `resellerdetails`',
    measured: [
      { document: '{ reseller { name balances { symbol } } }', counts: { resellerdetails: 1 } },
    ],
  },
  {
    field: 'Query.purchase',
    calls:
      'none once it is settled; 1 `getdetails` while it is `PENDING`; 1 `getdetails` a minute at most, for all clients together, while it is `IN_PROGRESS`, and 1 `resellerdetails` when the transfer failed',
    measured: [
      {
        before: settled('cost-1'),
        document: 'query ($id: ID!) { purchase(id: $id) { state } }',
        counts: {},
        counted: 2,
      },
      {
        before: pending('cost-2'),
        document: 'query ($id: ID!) { purchase(id: $id) { state } }',
        counts: { getdetails: 1 },
        counted: 2,
      },
      {
        before: inProgress('cost-4'),
        document: 'query ($id: ID!) { purchase(id: $id) { state } }',
        counts: {},
        counted: 2,
      },
    ],
  },
  {
    field: 'Query.purchaseByKey',
    calls: 'as `purchase`',
    measured: [
      {
        before: settled('cost-3'),
        document: '{ purchaseByKey(key: "cost-3") { state } }',
        counts: {},
        counted: 2,
      },
    ],
  },
  {
    field: 'Query.gateway',
    calls: 'none: it reads the settings and the journal',
    measured: [
      {
        document:
          '{ gateway { environment scopes spendLeft { amount } purchasesStopped { since } } }',
        counts: {},
      },
    ],
  },
  {
    field: 'Query.purchases',
    calls: 'none: it reads the journal',
    measured: [{ document: '{ purchases { totalCount nodes { key state } } }', counts: {} }],
  },
  {
    field: 'Query.node',
    calls:
      'what its type costs: a `Domain` 1 `getdetails`, a `Contact` 1 `getdetails` and 1 `getcontacts` once more than its id is asked for, a `Tld` 1 `tldlist`, the `Reseller` 1 `resellerdetails`, a `Purchase` as `purchase`, a `HostingGroup` none',
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
    calls: 'as `node`, and what ids have in common only once',
    measured: [
      {
        before: '{ tld(name: "com") { id } }',
        document: 'query ($id: ID!) { nodes(ids: [$id, $id]) { id } }',
        counts: { tldlist: 1 },
      },
    ],
  },
];
