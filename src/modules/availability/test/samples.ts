import type { NestedCosts, Samples } from '../../../../test/samples/sample.ts';
import { names } from '../../../../test/samples/shared.ts';

const ofNames = '1 `tldlist` for all names of the operation';
const checked = { bulkcheckavailability: 1, tldlist: 1 };
const ofTwo = (selection: string) =>
  `availabilities(names: ["maple-harbor.com", "casino.net"]) { ${selection} }`;
const hundred = `availabilities(names: ${names(100)}) { state }`;

export const samples: Samples = {
  'Query.availability': {
    calls: '1 `singlecheckavailability`',
    counts: { singlecheckavailability: 1 },
    exceptions:
      'several names in one operation share 1 `bulkcheckavailability`; 1 `tldlist` when the registrar returns no result for the name, or cannot parse it',
    costs: {
      'a: availability(name: "maple-harbor.com") { state } b: availability(name: "casino.com") { state }':
        { bulkcheckavailability: 1 },
      'availability(name: "a.com") { state } b: availability(name: "b.com", refresh: true) { state }': 2,
      'availability(name: "a.com") { tld { name } quote(period: 1) { certainty } }': 2,
      'availability(name: "a.com") { quote(period: 1) { certainty } }': 2,
    },

    args: ({ name }) => ({ name }),
    select: 'state reason',
    customers: 'public',
    cached: true,
  },
  'Query.availabilities': {
    calls: '1 `bulkcheckavailability` per 100 names',
    counts: { bulkcheckavailability: 1 },
    exceptions:
      '1 `singlecheckavailability` for a single name; 1 `tldlist`, and 1 `singlecheckavailability` for each of up to 3 names per 100, when the reply omits names with non-ASCII letters',
    costs: {
      'availabilities(names: ["maple-harbor.com"]) { state }': { singlecheckavailability: 1 },
      [`${hundred} again: ${hundred}`]: 1,
      [`${hundred} more: availabilities(names: ${names(2, 99)}) { state }`]: 2,
      [`availabilities(names: ${names(150)}) { state quote { certainty } }
        again: availabilities(names: ${names(150)}) { state }`]: 3,
      [`availabilities(names: ${names(1)}) { state }
        r: availabilities(names: ${names(1)}, refresh: true) { state }`]: 2,
      'availabilities(names: ["a b", ""]) { state } availability(name: "a b") { state }': 0,
    },

    args: ({ name }) => ({ names: [name, 'premium-cedar.com'] }),
    select: 'state reason',
    customers: 'public',
    cached: true,
  },
};

export const nestedCosts: NestedCosts = {
  'DomainAvailability.tld': {
    calls: ofNames,
    costs: {
      [ofTwo('tld { name }')]: checked,
    },
  },
  'DomainAvailability.period': {
    calls: ofNames,
    costs: {
      [ofTwo('period price { amount }')]: checked,
    },
  },
  'DomainAvailability.quote': {
    calls: ofNames,
    costs: {
      [ofTwo('one: quote { certainty } five: quote(period: 5) { certainty }')]: checked,
    },
  },
};
