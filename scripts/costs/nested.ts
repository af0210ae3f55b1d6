import { bought, named, registration, settled } from './documents.ts';
import { costOf, type FieldCost } from './field-cost.ts';

/** Fields below the roots that cost more than their parent. */
export const nestedCosts: readonly FieldCost[] = [
  {
    field: 'Domain.contacts',
    calls: '1 `getcontacts` per domain for all four contacts',
    exceptions: 'none for `id`, `role` and `upstreamId`',
    measured: [
      {
        document:
          '{ domain(name: "reseller-demo.com") { contacts { registrant { id role upstreamId } } } }',
        counts: { getdetails: 1 },
      },
      {
        document:
          '{ domain(name: "reseller-demo.com") { contacts { registrant { email } billing { company } } } }',
        counts: { getdetails: 1, getcontacts: 1 },
      },
    ],
  },
  costOf(
    'Domain.tld',
    '1 `tldlist` for all domains of the operation',
    '{ domains(first: 10) { nodes { tld { name } } } }',
    { getdomainlist: 1, tldlist: 1 },
  ),
  costOf(
    'DomainAvailability.tld',
    '1 `tldlist` for all names of the operation',
    '{ availabilities(names: ["maple-harbor.com", "casino.net"]) { tld { name } } }',
    { bulkcheckavailability: 1, tldlist: 1 },
  ),
  costOf(
    'DomainAvailability.period',
    '1 `tldlist` for all names of the operation',
    '{ availabilities(names: ["maple-harbor.com", "casino.net"]) { period price { amount } } }',
    { bulkcheckavailability: 1, tldlist: 1 },
  ),
  costOf(
    'DomainAvailability.quote',
    '1 `tldlist` for all names of the operation',
    '{ availabilities(names: ["maple-harbor.com", "casino.net"]) { one: quote { certainty } five: quote(period: 5) { certainty } } }',
    { bulkcheckavailability: 1, tldlist: 1 },
  ),
  costOf(
    'Reseller.renewalsDue',
    '1 `getdomainlist` and 1 `tldlist`, shared with all fields of the operation',
    '{ reseller { renewalsDue { count covered } } domainStats { totalCount } }',
    { getdomainlist: 1, resellerdetails: 1, tldlist: 1 },
  ),
  costOf(
    'Reseller.coversRenewalsUntil',
    '1 `getdomainlist` and 1 `tldlist`, shared with all fields of the operation',
    '{ reseller { coversRenewalsUntil renewalsDue { count } } }',
    { getdomainlist: 1, resellerdetails: 1, tldlist: 1 },
  ),
  costOf(
    'Domain.renewalQuote',
    '1 `tldlist` for all domains of the operation',
    '{ domains(first: 10) { nodes { renewalQuote { certainty } } } }',
    { getdomainlist: 1, tldlist: 1 },
  ),
  {
    field: 'Purchase.domain',
    calls: '1 `getdetails` per domain',
    measured: [
      {
        before: settled('cost-5'),
        document: '{ purchase(by: { key: "cost-5" }) { domain { name } } }',
        counts: { getdetails: 1 },
        counted: 3,
      },
    ],
  },
  {
    field: 'Event.domain',
    calls: '1 `getdetails` per domain; 1 `getdomainlist` from 5 domains on',
    exceptions: 'the same for `domain` of an order line, an item and a preview',
    measured: [
      {
        document:
          '{ previewBulkChange(names: ["reseller-demo.com", "unlocked-demo.com"], change: { sync: true }) { sample { domain { state } } } }',
        counts: { getdomainlist: 1 },
        counted: 11,
      },
    ],
  },
  {
    field: 'Event.purchase',
    calls: 'none: one read of the journal for all purchases of a list',
    exceptions:
      'the same for `purchase` of an error, `Purchase.order`, `Domain.purchases` and `Domain.events`',
    measured: [
      {
        before: settled('cost-9'),
        document:
          '{ events(first: 1) { nodes { purchase { order { id } } } } purchases(first: 1) { nodes { order { id } } } domain(name: "reseller-demo.com") { purchases { totalCount } events { totalCount } } }',
        counts: { getdetails: 1 },
      },
    ],
  },
  {
    field: 'RegisterDomainPayload.domain',
    calls: '1 `getdetails` after the write',
    exceptions: 'the same for `domain` in every payload',
    measured: [
      {
        document: `mutation { ${registration('maple-canvas.com', 'domain { state }')} }`,
        counts: { ...bought, registerdomain: 1, getdetails: 2 },
      },
      {
        document: `mutation { ${named('disableTransferLock')} { domain { transferLocked } } }`,
        counts: { disabletheftlock: 1, getdetails: 1 },
      },
    ],
  },
  {
    ...costOf(
      'SyncDomainPayload.changes',
      '1 `getdetails` before the write, 1 after it',
      `mutation { ${named('syncDomain')} { changes { field } drift { field } domain { name } } }`,
      { syncfromregistry: 1, getdetails: 2 },
    ),
    exceptions: 'the second one is shared with `domain`',
  },
  costOf(
    'SyncDomainPayload.drift',
    '1 `getdetails`, shared with `domain`',
    `mutation { ${named('syncDomain')} { drift { field } domain { name } } }`,
    { syncfromregistry: 1, getdetails: 1 },
  ),
];
