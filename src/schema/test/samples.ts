import type { Samples } from '../../../test/samples/sample.ts';
import { contacts } from '../../../test/samples/shared.ts';
import { type Target, unknownUuid } from '../../../test/samples/target.ts';
import { globalId } from '../../kernel/ids.ts';

const ofType = (type: 'Domain' | 'Contact' | 'Tld' | 'Reseller' | 'BulkChange', key: string) =>
  `node(id: "${globalId(type, key)}")`;
const nodes = (id: string) => `nodes(ids: ["${id}"]) { id }`;

/** Ids of objects of a customer. */
const ids = (target: Target) => [
  ...['Domain', 'DomainContacts'].map((type) => globalId(type, target.name)),
  globalId('Contact', `${target.name}/registrant`),
  ...[target.purchase, target.order, target.change],
  ...Object.values(target.ids),
];

export const samples: Samples = {
  'Query.node': {
    calls:
      '`Domain`: 1 `getdetails`; `Tld`: 1 `tldlist`; `Reseller`: 1 `resellerdetails`; `Purchase`: as `purchase`; `BulkChange`: none',
    exceptions: '`Contact`: 1 `getdetails`, and 1 `getcontacts` for any field but its id',
    costs: {
      'node(id: $id) { id ... on Domain { state } }': {
        before: '{ domain(name: "reseller-demo.com") { id } }',
        counts: { getdetails: 1 },
      },
      'reseller: node(id: $id) { id }': {
        before: '{ reseller { id } }',
        counts: { resellerdetails: 1 },
      },
      'tld: node(id: $id) { id }': {
        before: '{ tld(name: "com") { id } }',
        counts: { tldlist: 1 },
      },
      [`${ofType('Domain', 'a.com')} { id ... on Domain { ${contacts('email')} } }`]: 2,
      [`${ofType('Contact', 'a.com/billing')} { id }`]: 1,
      [`${ofType('Contact', 'a.com/billing')} { ... on Contact { email } }`]: 2,
      [`${ofType('Tld', 'com')} { id }`]: 1,
      [`${ofType('Reseller', 'self')} { id }`]: 1,
      [`${ofType('Domain', 'a b')} { id }`]: 0,
      [`${ofType('Contact', 'a.com/owner')} { id ... on Contact { email } }`]: 0,
      [`${ofType('BulkChange', 'x')} { id }`]: 0,
    },

    args: (target) => ids(target).map((id) => ({ id })),
    select: 'id',
    customers: 'own',
    cached: { [`${ofType('Domain', 'reseller-demo.com')} { id }`]: true },
  },
  'Query.nodes': {
    calls: 'as `node`; calls that ids have in common are made once',
    costs: {
      'nodes(ids: [$id, $id]) { id }': {
        before: '{ tld(name: "com") { id } }',
        counts: { tldlist: 1 },
      },
    },
    args: (target) => ({ ids: ids(target) }),
    select: 'id',
    customers: 'own',
    cached: {
      [nodes(globalId('Domain', 'reseller-demo.com'))]: true,
      [nodes(globalId('Purchase', unknownUuid))]: false,
    },
  },
};
