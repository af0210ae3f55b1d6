import type { Samples } from '../../../../test/samples/sample.ts';

export const samples: Samples = {
  'Query.tld': {
    calls: '1 `tldlist` for all TLDs and prices of the operation',
    costs: {
      'tld(name: "com") { name } other: tld(name: "рф") { prices { period } }': { tldlist: 1 },
    },
    args: () => ({ name: 'com' }),
    select: 'prices { price { amount } }',
    customers: 'public',
    cached: true,
  },
  'Query.tlds': {
    calls: '1 `tldlist` for all pages and filters of the operation',
    costs: {
      'tlds(first: 3) { nodes { name } } more: tlds(filter: { active: false }) { totalCount }': {
        tldlist: 1,
      },
      'tld(name: "com") { name } tlds { totalCount }': 1,
    },

    args: () => ({ first: 5 }),
    select: 'totalCount nodes { name }',
    customers: 'public',
    cached: { 'tlds { totalCount }': true },
  },
};
