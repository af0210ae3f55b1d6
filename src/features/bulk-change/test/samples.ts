import { errors } from '../../../../test/samples/document-of.ts';
import { local, type Samples, stored, storedQuery } from '../../../../test/samples/sample.ts';
import {
  afterAndBefore,
  byIdAndKey,
  coverage,
  hosts,
  otherHosts,
  page,
} from '../../../../test/samples/shared.ts';

const twoNames = { names: ['reseller-demo.com', 'unlocked-demo.com'] };

/** A change of one domain, in the background. */
const changing = `changeDomains(input: { idempotencyKey: "cost-8", names: ["unlocked-demo.com"],
  expectedCount: 1, change: { privacyProtected: true } }) { bulkChange { id } }`;
const changed = `mutation { ${changing} }`;
const change = { privacyProtected: true };

export const samples: Samples = {
  'Query.previewBulkChange': {
    calls: '1 `getdomainlist`, shared with `domains`',
    costs: {
      'previewBulkChange(filter: { contains: "demo" }, change: { privacyProtected: true }) { count sample { domainName } }':
        { getdomainlist: 1 },
      'previewBulkChange(names: ["a.com"], change: { sync: true }) { count }': 1,
      'previewBulkChange(filter: {}, change: { sync: true }) { count } domains { totalCount }': 1,
    },

    args: ({ name, label }) => [
      { names: [name], change },
      { filter: { contains: label }, change },
    ],
    select: `count unchanged ${coverage} ${errors} sample {
      domainName domain { id } before { text privacyProtected } after { text } }`,
    customers: 'own',
    cached: true,
    inputs: {
      BulkChangeInput: {
        base: { ...twoNames, change: { setNameServers: hosts } },
        at: ['change'],
        fields: {
          ...{ setNameServers: otherHosts, addNameServer: 'ns9.example-dns.net' },
          ...{ removeNameServer: 'ns1.reseller-demo.com', privacyProtected: true },
          ...{ sync: true, unlock: true },
          replaceNameServer: { from: 'ns1.reseller-demo.com', to: 'ns9.example-dns.net' },
          items: [{ domain: 'reseller-demo.com', nameServers: hosts }],
        },
      },
      BulkChangeItemInput: {
        base: { change: { items: [{ domain: 'reseller-demo.com', nameServers: hosts }] } },
        at: ['change', 'items', '0'],
        fields: { domain: 'unlocked-demo.com', nameServers: otherHosts },
      },
      NameServerReplacementInput: {
        base: {
          ...twoNames,
          change: { replaceNameServer: { from: 'ns1.reseller-demo.com', to: 'ns9.example.net' } },
        },
        at: ['change', 'replaceNameServer'],
        fields: { from: 'ns2.reseller-demo.com', to: 'ns8.example.net' },
      },
      DomainFilter: {
        base: { filter: {}, change: { sync: true } },
        at: ['filter'],
        fields: {
          ...{ contains: 'reseller', customer: 'filtered', labels: [{ name: 'filtered' }] },
          ...{ expires: { from: '2090-01-01' }, nameServer: 'ns.none.net' },
          ...{ privacyProtected: true, transferLocked: true, states: ['DELETED'], tlds: ['net'] },
        },
      },
      TimeSpan: {
        base: { filter: { expires: {} }, change: { sync: true } },
        at: ['filter', 'expires'],
        fields: { from: '2090-01-01', until: '2000-01-01' },
      },
      LabelFilter: {
        base: { filter: { labels: [{ name: 'filtered' }] }, change: { sync: true } },
        at: ['filter', 'labels', '0'],
        fields: { name: 'none', value: 'other' },
      },
    },
  },
  'Query.bulkChange': {
    ...storedQuery,
    costs: {
      'bulkChange(by: { id: $id }) { state items { domainName } }': { before: changed, counts: {} },
    },
    args: (target) => byIdAndKey(target.change, target.changeKey),
    select: 'id key items(first: 9) { domainName }',
  },
  'Query.bulkChanges': {
    ...storedQuery,
    costs: { 'bulkChanges { nodes { items { domainName } } }': 0 },
    args: ({ cursors }) => afterAndBefore(cursors.job),
    select: page('id key state'),
  },
  'Mutation.changeDomains': {
    calls: 'none for `names`; 1 `getdomainlist` for a `filter`',
    exceptions:
      'later, for each domain: 1 `getdetails`, and 1 `modifynameserver`, `modifyprivacystatus` or `syncfromregistry` unless the domain has the value already; lost replies as for `setNameServers`',
    costs: {
      [changing]: { before: changed, counts: {} },
      'changeDomains(input: { idempotencyKey: "cost-9", filter: { contains: "demo" }, expectedCount: 0, change: { sync: true } }) { errors { code } }':
        { getdomainlist: 1 },
      'changeDomains(input: { idempotencyKey: "k", expectedCount: 2, change: { sync: true } names: ["a.com", "b.com"] }) { bulkChange { items { domainName } } }': 0,
    },

    args: ({ label }) => ({
      input: {
        ...{ idempotencyKey: 'bolt-change', filter: { contains: label } },
        ...{ expectedCount: 1, change: { sync: true } },
      },
    }),
    select: 'bulkChange { id key items { domainName } change { sync privacyProtected } } replayed',
    customers: 'own',
    inputs: {
      ChangeDomainsInput: {
        base: { ...twoNames, change: { sync: true }, expectedCount: 2, idempotencyKey: 'change-$' },
        fields: {
          ...{ names: ['reseller-demo.com', 'grace-demo.com'], change: { privacyProtected: true } },
          ...{ expectedCount: 3, idempotencyKey: 'other-$', filter: {} },
        },
      },
    },
  },
  'Mutation.cancelBulkChange': {
    ...local,
    costs: {
      'cancelBulkChange(input: { id: $id }) { errors { code } }': { before: changed, counts: {} },
    },
    args: ({ changeKey }) => ({ input: { key: changeKey } }),
    select: 'cancelled bulkChange { id }',
  },
  'Mutation.retryBulkChange': {
    ...local,
    exceptions: 'later those of `changeDomains` for each domain that is tried again',
    costs: {
      'retryBulkChange(input: { id: $id }) { errors { code } }': { before: changed, counts: {} },
    },
    args: (target) => ({ input: { id: target.change } }),
    select: 'retried bulkChange { id }',
  },
  'Subscription.bulkChangeProgress': {
    ...stored,
    costs: {
      'bulkChangeProgress(id: $id) { bulkChange { state } }': { before: changed, counts: {} },
    },
    args: (target) => ({ id: target.change }),
    select: 'bulkChange { key }',
  },
};
