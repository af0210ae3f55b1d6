import type { Sample, Samples } from '../../../../test/samples/sample.ts';

const sample = {
  args: ({ label }) => ({ labels: [label], tlds: ['com', 'net'] }),
  select: 'availability { name state reason price { amount } }',
  customers: 'public',
} satisfies Partial<Sample>;

export const samples: Samples = {
  'Query.searchDomains': {
    ...sample,
    calls: '1 `tldlist`, and `bulkcheckavailability` in batches of 1 to 100 names',
    exceptions:
      '1 bulk check for 50 TLDs of a fast registry; `singlecheckavailability` for a batch of one name; none for names that the price list excludes',
    costs: {
      'searchDomains(labels: ["maple-harbor"], tlds: ["com"]) { availability { quote { highest { amount } } } }':
        {
          tldlist: 1,
          singlecheckavailability: 1,
        },
      'searchDomains(labels: ["maple-harbor"], tlds: ["com", "net", "museum"]) { availability { state tld { name } } }':
        { tldlist: 1, bulkcheckavailability: 1 },
      'searchDomains(labels: ["maple-harbor.com"], tlds: [], suggestions: 1) { suggested }': {
        tldlist: 1,
        bulkcheckavailability: 1,
      },
      'searchDomains(labels: ["maple-harbor"], tlds: ["museum"]) { availability { name } }': {
        counts: { tldlist: 1 },
        estimate: 2,
      },
      'searchDomains(labels: ["maple"]) { availability { tld { name } quote { period } } }': 2,
      'searchDomains(labels: ["maple"], first: 101) { availability { name } }': 3,
      'searchDomains(labels: ["maple"], filter: { available: true }) { availability { name } }': 11,
      'searchDomains(labels: ["maple", "oak"], tlds: ["com", "net"]) { position }': 2,
      'searchDomains(labels: ["maple"], suggestions: 1) { availability { name } }': 3,
    },

    cached: false,
  },
  'Subscription.searchDomains': {
    ...sample,
    calls: 'as the query `searchDomains`',
    counts: { tldlist: 1, bulkcheckavailability: 1 },
  },
};
