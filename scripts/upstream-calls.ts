/** Calls by the name under which the upstream knows them; none is `{}`. */
export type Counts = Readonly<Record<string, number>>;

/** One document and what it made the upstream receive. */
export interface Measured {
  readonly document: string;
  readonly counts: Counts;
  /** Sent before the counting begins; what its `made` answers with is the `$id` of `document`. */
  readonly before?: string;
}

/** What a field costs, in words for the README and as something that a test measures. */
export interface FieldCost {
  /** `Type.field`. */
  readonly field: string;
  readonly calls: string;
  readonly measured: readonly Measured[];
}

const person = `{
  firstName: "Ada", lastName: "Byron", email: "ada@example.com", phone: "+44 20 7946 0958",
  address: { line1: "12 St James's Square", city: "London", zipCode: "SW1Y 4JH", country: "GB" } }`;

/** A registration of one year; `more` are further members of the input. */
export const registration = (domain: string, selection: string, more = '') =>
  `registerDomain(input: { domain: "${domain}", nameServers: ["ns1.example.com", "ns2.example.com"],
    registrant: ${person} ${more} }) { ${selection} }`;

const transfer = (more: string) =>
  `transferDomain(input: { domain: "outside-shop.com", authCode: "Transfer-Code-01" ${more} })`;

const named = (field: string, more = '') =>
  `${field}(input: { domain: "reseller-demo.com" ${more} })`;
const bought = { tldlist: 1, resellerdetails: 1, singlecheckavailability: 1 };
const checked = { tldlist: 1, resellerdetails: 1, getdetails: 1 };

/** Its answer is lost and the service acts seconds later, so for a while nobody knows. */
const pending = (key: string) =>
  `mutation { made: ${registration('late-maple.com', 'operation { id }', `, idempotencyKey: "${key}"`)} }`;
const settled = (key: string) =>
  `mutation { made: ${registration('calc-maple.com', 'operation { id }', `, idempotencyKey: "${key}"`)} }`;

const query: readonly FieldCost[] = [
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
      },
    ],
  },
  {
    field: 'Query.domains',
    calls: '1 `getdomainlist` for every page, filter and order of the operation together',
    measured: [
      {
        document:
          '{ domains(first: 5) { totalCount nodes { name } } late: domains(filter: { expiresBefore: "2100-01-01" }) { totalCount } }',
        counts: { getdomainlist: 1 },
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
    field: 'Query.operation',
    calls: 'none once it is settled; 1 `getdetails` while it is open',
    measured: [
      {
        before: settled('cost-1'),
        document: 'query ($id: ID!) { operation(id: $id) { state } }',
        counts: {},
      },
      {
        before: pending('cost-2'),
        document: 'query ($id: ID!) { operation(id: $id) { state } }',
        counts: { getdetails: 1 },
      },
    ],
  },
  {
    field: 'Query.operationByKey',
    calls: 'as `operation`',
    measured: [
      {
        before: settled('cost-3'),
        document: '{ operationByKey(key: "cost-3") { state } }',
        counts: {},
      },
    ],
  },
  {
    field: 'Query.operations',
    calls: 'none: it reads the journal',
    measured: [{ document: '{ operations { totalCount nodes { key state } } }', counts: {} }],
  },
  {
    field: 'Query.node',
    calls:
      'what its type costs: a `Domain` 1 `getdetails`, a `Contact` 1 `getdetails` and 1 `getcontacts` once more than its id is asked for, a `Tld` 1 `tldlist`, the `Reseller` 1 `resellerdetails`, an `Operation` as `operation`',
    measured: [
      {
        before: '{ made: domain(name: "reseller-demo.com") { id } }',
        document: 'query ($id: ID!) { node(id: $id) { id ... on Domain { state } } }',
        counts: { getdetails: 1 },
      },
      {
        before: '{ made: reseller { id } }',
        document: 'query ($id: ID!) { node(id: $id) { id } }',
        counts: { resellerdetails: 1 },
      },
      {
        before: '{ made: tld(name: "com") { id } }',
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
        before: '{ made: tld(name: "com") { id } }',
        document: 'query ($id: ID!) { nodes(ids: [$id, $id]) { id } }',
        counts: { tldlist: 1 },
      },
    ],
  },
];

const mutation: readonly FieldCost[] = [
  {
    field: 'Mutation.registerDomain',
    calls:
      '1 `tldlist`, 1 `resellerdetails`, 1 `singlecheckavailability`, 1 `registerdomain`; 1 `getdetails` when the answer was lost; a dry run no `registerdomain`; a known key none',
    measured: [
      {
        document: `mutation { ${registration('maple-harbor.com', 'operation { state }')} }`,
        counts: { ...bought, registerdomain: 1 },
      },
      {
        document: `mutation { ${registration('lost-answer-harbor.com', 'operation { state }')} }`,
        counts: { ...bought, registerdomain: 1, getdetails: 1 },
      },
      {
        document: `mutation { ${registration('maple-orchard.com', 'price { amount }', ', dryRun: true')} }`,
        counts: bought,
      },
      { before: settled('cost-4'), document: settled('cost-4'), counts: {} },
    ],
  },
  {
    field: 'Mutation.transferDomain',
    calls:
      '1 `tldlist`, 1 `resellerdetails`, 1 `getdetails`, 1 `transferdomain`; otherwise as `registerDomain`',
    measured: [
      {
        document: `mutation { ${transfer('')} { operation { state } } }`,
        counts: { ...checked, transferdomain: 1 },
      },
      {
        document: `mutation { ${transfer(', dryRun: true')} { price { amount } } }`,
        counts: checked,
      },
    ],
  },
  {
    field: 'Mutation.setNameServers',
    calls: '1 `modifynameserver`',
    measured: [
      {
        document: `mutation { ${named('setNameServers', ', nameServers: ["ns1.example.com", "ns2.example.com"]')} { nameServers } }`,
        counts: { modifynameserver: 1 },
      },
    ],
  },
  {
    field: 'Mutation.addChildNameServer',
    calls: '1 `addchildnameserver`',
    measured: [
      {
        document: `mutation { ${named('addChildNameServer', ', nameServer: "ns9.reseller-demo.com", ipAddress: "192.5.6.31"')} { childNameServer { name } } }`,
        counts: { addchildnameserver: 1 },
      },
    ],
  },
  {
    field: 'Mutation.disableTransferLock',
    calls: '1 `disabletheftlock`',
    measured: [
      {
        document: `mutation { ${named('disableTransferLock')} { transferLocked } }`,
        counts: { disabletheftlock: 1 },
      },
    ],
  },
  {
    field: 'Mutation.setPrivacyProtection',
    calls: '1 `modifyprivacystatus`',
    measured: [
      {
        document: `mutation { ${named('setPrivacyProtection', ', enabled: true')} { privacyProtected } }`,
        counts: { modifyprivacystatus: 1 },
      },
    ],
  },
  {
    field: 'Mutation.syncDomain',
    calls: '1 `syncfromregistry`',
    measured: [
      {
        document: `mutation { ${named('syncDomain')} { registryStatus } }`,
        counts: { syncfromregistry: 1 },
      },
    ],
  },
  {
    field: 'Mutation.createCart',
    calls: '1 `POST /carts`',
    measured: [
      {
        document:
          'mutation { createCart(input: { items: [{ description: "Hosting", quantity: "2", unitPrice: "30", productType: "hosting" }] }) { cart { id } } }',
        counts: { 'POST /carts': 1 },
      },
    ],
  },
  {
    field: 'Mutation.updateHostingGroup',
    calls: '1 `PATCH /hosting/group/{id}`',
    measured: [
      {
        document:
          'mutation { updateHostingGroup(input: { id: "hg_demo_1", name: "Renamed" }) { hostingGroup { name } } }',
        counts: { 'PATCH /hosting/group/{id}': 1 },
      },
    ],
  },
  {
    field: 'Mutation.deleteHostingGroup',
    calls: '1 `DELETE /hosting/group`',
    measured: [
      {
        document: 'mutation { deleteHostingGroup(input: { confirm: true }) { deleted } }',
        counts: { 'DELETE /hosting/group': 1 },
      },
      {
        document: 'mutation { deleteHostingGroup(input: { confirm: false }) { errors { code } } }',
        counts: {},
      },
    ],
  },
  {
    field: 'Mutation.deleteLogs',
    calls: '1 `DELETE /logs`',
    measured: [
      {
        document: 'mutation { deleteLogs(input: { confirm: true }) { deleted } }',
        counts: { 'DELETE /logs': 1 },
      },
    ],
  },
  {
    field: 'Mutation.logout',
    calls: '1 `POST /auth/logout`',
    measured: [
      { document: 'mutation { logout { loggedOut } }', counts: { 'POST /auth/logout': 1 } },
    ],
  },
];

const nested: readonly FieldCost[] = [
  {
    field: 'Domain.contacts',
    calls:
      'none for `id`, `role` and `upstreamId`; 1 `getcontacts` a domain for the rest of all four',
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
  {
    field: 'Domain.tld',
    calls: '1 `tldlist` for all domains of the operation',
    measured: [
      {
        document: '{ domains(first: 10) { nodes { tld { name } } } }',
        counts: { getdomainlist: 1, tldlist: 1 },
      },
    ],
  },
  {
    field: 'DomainAvailability.tld',
    calls: '1 `tldlist` for all names of the operation',
    measured: [
      {
        document: '{ availabilities(names: ["maple-harbor.com", "casino.net"]) { tld { name } } }',
        counts: { bulkcheckavailability: 1, tldlist: 1 },
      },
    ],
  },
  {
    field: 'Operation.domain',
    calls: '1 `getdetails` a domain',
    measured: [
      {
        before: settled('cost-5'),
        document: '{ operationByKey(key: "cost-5") { domain { name } } }',
        counts: { getdetails: 1 },
      },
    ],
  },
  {
    field: 'RegisterDomainPayload.domain',
    calls: '1 `getdetails`, after the write; so in every payload',
    measured: [
      {
        document: `mutation { ${registration('maple-canvas.com', 'domain { state }')} }`,
        counts: { ...bought, registerdomain: 1, getdetails: 1 },
      },
      {
        document: `mutation { ${named('disableTransferLock')} { domain { transferLocked } } }`,
        counts: { disabletheftlock: 1, getdetails: 1 },
      },
    ],
  },
  {
    field: 'SyncDomainPayload.drift',
    calls: '1 `getdetails`, the same as that of `domain`',
    measured: [
      {
        document: `mutation { ${named('syncDomain')} { drift { field } domain { name } } }`,
        counts: { syncfromregistry: 1, getdetails: 1 },
      },
    ],
  },
];

/** Every root field, and the nested fields that cost more than their parent. The README's table, and what a test measures. */
export const upstreamCosts = { query, mutation, nested } as const;
