import type { NestedCosts, Samples } from '../../../../test/samples/sample.ts';
import {
  bought,
  contacts,
  domainFields,
  names,
  ofDomain,
  registrationText,
} from '../../../../test/samples/shared.ts';

const a = 'domain(name: "a.com")';
const owned = 'domain(name: "reseller-demo.com")';
const refreshed = 'domain(name: "a.com", refresh: true)';

export const samples: Samples = {
  'Query.domain': {
    calls: '1 `getdetails` per name',
    costs: {
      'domain(name: "reseller-demo.com") { state } again: domain(name: "RESELLER-demo.com.") { name }':
        { getdetails: 1 },
      [`${a} { name } other: domain(name: "b.com") { name }`]: 2,
      [`${refreshed} { name } again: ${refreshed} { name }`]: 1,
      [`${a} { name } refreshed: ${refreshed} { name }`]: 2,
      [`${refreshed} { ${contacts('email')} authCode }`]: 2,
      [`${a} { ${contacts('email')} ${contacts('phone { e164 } fax { number }')} }`]: 2,
      [`${a} { ${contacts('phone { e164 }')} }`]: 2,
      [`${a} { ${contacts('address { city }')} }`]: 2,
      [`${a} { ${contacts('additional { key }')} }`]: 2,
      [`${a} { authCode }`]: 1,
      [`${a} { tld { name } renewalQuote(period: 1) { certainty } }`]: 2,
      [`${a} { renewalQuote(period: 1) { certainty } }`]: 2,
      'domain(name: "a b") { name } r: domain(name: "", refresh: true) { name }': 0,
    },

    args: ({ name }) => [{ name }, { name, refresh: true }],
    select: domainFields,
    customers: 'own',
    cached: {
      [`${owned} { status }`]: true,
      [`${owned} { purchases { totalCount } }`]: false,
      [`${owned} { events { totalCount } }`]: false,
    },
  },
  'Query.domainsByName': {
    calls: '1 `getdetails` per name; 1 `getdomainlist` from 5 names on',
    exceptions: '1 `getdetails` for each name that an incomplete list leaves out',
    costs: {
      'domainsByName(names: ["reseller-demo.com", "unlocked-demo.com"]) { name }': {
        getdetails: 2,
      },
      'domainsByName(names: ["reseller-demo.com", "unlocked-demo.com", "private-demo.net", "grace-demo.com", "none-demo.com"]) { name }':
        { counts: { getdomainlist: 1 }, estimate: 6 },
      [`domainsByName(names: ${names(4)}) { name }`]: 4,
      [`domainsByName(names: ${names(3)}) { ${contacts('email')} authCode }`]: 6,
      'domainsByName(names: ["a b", "a.com"]) { name }': 1,
    },

    args: ({ name }) => [
      { names: [name] },
      { names: [name, `a-${name}`, `b-${name}`, 'reseller-demo.com', `d-${name}`, `e-${name}`] },
    ],
    select: domainFields,
    customers: 'own',
    cached: { 'domainsByName(names: ["reseller-demo.com"]) { status }': true },
  },
};

export const nestedCosts: NestedCosts = {
  'Domain.contacts': {
    calls: '1 `getcontacts` per domain for all four contacts',
    exceptions: 'none for `id`, `role` and `upstreamId`',
    costs: {
      [`domain(name: "reseller-demo.com") { ${contacts('id role upstreamId')} }`]: {
        getdetails: 1,
      },
      [`domain(name: "reseller-demo.com") { ${contacts('email company')} }`]: {
        getdetails: 1,
        getcontacts: 1,
      },
    },
  },
  'Domain.tld': {
    calls: '1 `tldlist` for all domains of the operation',
    costs: {
      'domains(first: 10) { nodes { tld { name } } }': { getdomainlist: 1, tldlist: 1 },
    },
  },
  'Domain.renewalQuote': {
    calls: '1 `tldlist` for all domains of the operation',
    costs: {
      'domains(first: 10) { nodes { renewalQuote { certainty } } }': {
        getdomainlist: 1,
        tldlist: 1,
      },
    },
  },
  'PurchasePayload.domain': {
    calls: '1 `getdetails` after the write',
    exceptions: 'the same for `domain` in every payload',
    costs: {
      [registrationText('maple-canvas.com', 'domain { state }')]: {
        ...bought,
        registerdomain: 1,
        getdetails: 2,
      },
      [`${ofDomain('disableTransferLock')} { domain { transferLocked } }`]: {
        disabletheftlock: 1,
        getdetails: 1,
      },
    },
  },
};
