import { local, type NestedCosts, type Samples } from '../../../../test/samples/sample.ts';
import { afterAndBefore, contacts, coverage, page } from '../../../../test/samples/shared.ts';

const nine = (filter: string) => `domains(first: 9${filter}) { nodes { authCode } }`;

export const samples: Samples = {
  'Query.domains': {
    calls: '1 `getdomainlist` for all pages, filters and orders of the operation',
    costs: {
      'domains(first: 5) { totalCount nodes { name } } late: domains(filter: { expires: { until: "2100-01-01T00:00:00Z" } }) { totalCount }':
        { getdomainlist: 1 },
      'domains { nodes { authCode } }': 21,
      [`domains(first: 10) { nodes { ${contacts('email')} authCode tld { name } } }`]: 22,
      [`domains(last: 10) { edges { node { ${contacts('email')} } } }`]: 11,
      [`${nine('')} again: ${nine('')}`]: 10,
      [`${nine('')} other: ${nine(', filter: { tlds: ["com"] }')}`]: 19,
      'domains { totalCount } refreshed: domains(refresh: true) { totalCount }': 2,
    },
    exceptions:
      'none while a cached list is served; then 1 `getdetails` per domain, for up to 5 domains that this gateway changed since',

    args: ({ label, cursors }) => [
      { filter: { contains: label } },
      { filter: { customer: 'bolt' } },
      ...afterAndBefore(cursors.domain),
    ],
    select: `${coverage} ${page('name')}`,
    customers: 'own',
    cached: { 'domains { totalCount }': true },
  },
  'Query.domainStats': {
    calls: '1 `getdomainlist`, shared with `domains`',
    exceptions: '1 `tldlist` for `renewals`, and 1 `resellerdetails` for its `covered`',
    costs: {
      'domainStats { totalCount byTld { value count } byNameServer { value } } domains(first: 1) { totalCount }':
        { getdomainlist: 1 },
      'domainStats { renewals { from totals { price { amount } } } }': {
        getdomainlist: 1,
        tldlist: 1,
      },
      'domainStats { renewals(months: 1) { count } }': 2,
      'domainStats { renewals(months: 1) { covered coveredReason } }': 3,
      'domainStats { totalCount } refreshed: domainStats(refresh: true) { totalCount }': 2,
      'domains(refresh: true) { totalCount } domainStats(refresh: true) { totalCount }': 1,
    },

    args: ({ label }) => [{ filter: { contains: label } }, {}],
    select: `totalCount ${coverage} byTld { value count } byNameServer { value count }
      byExpiryMonth { value } byState { state count } renewals(months: 2) { from until count totals { price { amount } } }`,
    customers: 'own',
    cached: true,
  },
  'Mutation.trackDomains': {
    ...local,
    exceptions: 'later one `getdetails` for each domain that the list leaves out',
    args: ({ name }) => ({ input: { names: [name] } }),
    select: 'added alreadyKnown',
    customers: 'refused',
    inputs: {
      TrackDomainsInput: { base: { names: ['reseller-demo.com'] }, fields: { names: ['a b'] } },
    },
  },
};

const renewalCalls = '1 `getdomainlist` and 1 `tldlist`, shared with all fields of the operation';
const counts = { getdomainlist: 1, resellerdetails: 1, tldlist: 1 };

export const nestedCosts: NestedCosts = {
  'Reseller.renewalsDue': {
    calls: renewalCalls,
    costs: {
      'reseller { renewalsDue { count covered } } domainStats { totalCount }': counts,
      'reseller { renewalsDue { count } } domainStats { totalCount } tlds { totalCount }': 3,
    },
  },
  'Reseller.renewalsCovered': {
    calls: renewalCalls,
    costs: {
      'reseller { renewalsCovered { until covered } renewalsDue { count } }': counts,
    },
  },
};
