import assert from 'node:assert/strict';
import { globalId } from '../../src/kernel/ids.ts';
import { order } from '../graph/purchases/shop.ts';
import type { Traces } from './ledger.ts';

/** The parameters of a query, as random numbers. */
export interface Pick {
  /** Selects one query of its kind. */
  readonly at: number;
  /** The round: some names are new in every round, so that no cache has them. */
  readonly round: number;
  /** The traces of all tenants. */
  readonly all: readonly Traces[];
}

/** A document that every tenant can send, with a check of the response per tenant. */
export interface Question {
  readonly query: string;
  readonly variables: (tenant: string) => object;
  /** Records the calls that the tenant may and must cause. */
  readonly expect: (traces: Traces) => void;
  // biome-ignore lint/suspicious/noExplicitAny: a response of any shape
  readonly check: (traces: Traces, data: any) => void;
}

/** The number of names per account that are queried repeatedly, so that caches contain them. */
const favourites = 3;

const someName = ({ all, at }: Pick): string => {
  const most = at % 4 === 0 ? Infinity : favourites;
  const names = all.flatMap(({ account }) => [...account.held.keys()].slice(0, most));
  return names[at % names.length] ?? '';
};
const ownerOf = ({ all }: Pick, name: string) =>
  all.find(({ account }) => account.held.has(name))?.account.tenant ?? '';

const nothingDue = () => undefined;
const details = '{ upstreamId name authCode nameServers contacts { registrant { upstreamId } } }';

/** Checks that only the owner of a domain gets its data. */
// biome-ignore lint/suspicious/noExplicitAny: a response of any shape
function checkDomain({ account }: Traces, name: string, domain: any) {
  const held = account.held.get(name);
  if (!held) return assert.equal(domain, null, `${name} is not of ${account.tenant}`);
  const { upstreamId, authCode, contacts, nameServers } = domain;
  const { id, registrant } = held;
  assert.deepEqual(
    { upstreamId, name: domain.name, authCode, registrant: contacts.registrant.upstreamId },
    { upstreamId: id, name, authCode: held.authCode, registrant },
  );
  const isOwn = (host: string) =>
    held.nameServers.includes(host) || host.startsWith(`${account.tenant}-`);
  assert.ok(nameServers.every(isOwn), `${nameServers} are not those of ${account.tenant}`);
}

const reads = {
  reseller: () => ({
    query: '{ reseller { upstreamId name balance { money { amount } } } }',
    variables: () => ({}),
    expect: ({ due }) => void due.add('resellerdetails'),
    check({ account, orders }, { reseller }) {
      assert.equal(reseller.upstreamId, account.upstreamId);
      const spent = Number(account.balance) - Number(reseller.balance.money.amount);
      assert.ok(spent >= 0 && spent < 1.5 * orders.size + 0.001, `${account.tenant}: ${spent}`);
    },
  }),
  price: () => ({
    query: '{ tld(name: "com") { price(operation: REGISTRATION) { price { amount } } } }',
    variables: () => ({}),
    expect: ({ due }) => void due.add('tldlist'),
    check: (_traces, { tld }) => assert.equal(tld.price.price.amount, '22.5800'),
  }),
  domain(pick) {
    const name = someName(pick);
    return {
      query: `query ($name: String!, $refresh: Boolean!) { domain(name: $name, refresh: $refresh) ${details} }`,
      variables: () => ({ name, refresh: pick.at % 5 === 0 }),
      expect({ named, due }) {
        named.add(name);
        due.add(`getdetails ${name}`);
      },
      check: (traces, { domain }) => checkDomain(traces, name, domain),
    };
  },
  several(pick) {
    const names = Array.from({ length: 6 }, (_, more) =>
      someName({ ...pick, at: pick.at + 7 * more }),
    );
    return {
      query: `query ($names: [String!]!) { domainsByName(names: $names) ${details} }`,
      variables: () => ({ names }),
      expect({ named, due }) {
        for (const name of names) named.add(name);
        due.add('getdomainlist');
      },
      check(traces, { domainsByName }) {
        for (const [at, name] of names.entries()) checkDomain(traces, name, domainsByName[at]);
      },
    };
  },
  page: ({ at }) => ({
    query: `query ($first: Int) { domains(first: $first) { totalCount nodes { name upstreamId } } }`,
    variables: () => ({ first: 10 + (at % 3) * 45 }),
    expect: ({ due }) => void due.add('getdomainlist'),
    check({ account, orders }, { domains }) {
      const { size } = account.held;
      assert.ok(domains.totalCount >= size && domains.totalCount <= size + orders.size);
      for (const { name, upstreamId } of domains.nodes) {
        const isBought = orders.has(name);
        assert.ok(isBought || account.held.get(name)?.id === upstreamId, `${name} in a list`);
      }
    },
  }),
  check({ at, round }) {
    const name = `round-${round}-${at % 12}.com`;
    return {
      query: 'query ($name: String!) { availability(name: $name) { name state } }',
      variables: () => ({ name }),
      expect({ named, due }) {
        named.add(name);
        due.add(`check ${name}`);
      },
      check: (_traces, { availability }) =>
        assert.deepEqual(availability, { name, state: 'AVAILABLE' }),
    };
  },
  checks({ at, round }) {
    const names = [0, 1, 2].map((more) => `round-${round}-${(at + more) % 12}.com`);
    return {
      query: 'query ($names: [String!]!) { availabilities(names: $names) { name state } }',
      variables: () => ({ names }),
      expect({ named, due }) {
        for (const name of names) {
          named.add(name);
          due.add(`check ${name}`);
        }
      },
      check: (_traces, { availabilities }) =>
        assert.deepEqual(
          availabilities,
          names.map((name) => ({ name, state: 'AVAILABLE' })),
        ),
    };
  },
  search({ at, round }) {
    const label = `search-${round}-${at % 4}`;
    const tlds = ['com', 'net', 'org'];
    return {
      query:
        'query ($label: String!, $tlds: [String!]) { searchDomains(labels: [$label], tlds: $tlds) { availability { state } } }',
      variables: () => ({ label, tlds }),
      expect({ named, due }) {
        for (const tld of tlds) {
          named.add(`${label}.${tld}`);
          due.add(`check ${label}.${tld}`);
        }
      },
      check(_traces, { searchDomains }) {
        const free = tlds.map(() => ({ availability: { state: 'AVAILABLE' } }));
        assert.deepEqual(searchDomains, free);
      },
    };
  },
  nodes(pick) {
    const name = someName(pick);
    const known = pick.all.flatMap(({ purchases }) => [...purchases].slice(-3));
    const ids = [globalId('Domain', name), ...known];
    return {
      query:
        'query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Domain { name } ... on Purchase { id } } }',
      variables: () => ({ ids }),
      expect({ named }) {
        named.add(name);
      },
      check({ account, purchases }, { nodes }) {
        const domain = account.held.has(name) ? { name } : null;
        const others = known.map((id) => (purchases.has(id) ? { id } : null));
        assert.deepEqual(nodes, [domain, ...others], `nodes for ${account.tenant}`);
      },
    };
  },
  purchases: () => ({
    query: '{ purchases(first: 100) { nodes { id domainName } } }',
    variables: () => ({}),
    expect: nothingDue,
    check({ orders, account }, { purchases }) {
      for (const { domainName } of purchases.nodes) {
        assert.ok(orders.has(domainName), `${account.tenant} sees the purchase of ${domainName}`);
      }
    },
  }),
  byKey: ({ at, round }) => ({
    query: 'query ($key: String!) { purchase(by: { key: $key }) { domainName } }',
    variables: () => ({ key: `own-${round}-${at % 3}` }),
    expect: nothingDue,
    check({ orders }, { purchase }) {
      if (purchase) assert.ok(orders.has(purchase.domainName));
    },
  }),
} satisfies Record<string, (pick: Pick) => Question>;

const registering = /* GraphQL */ `
  mutation ($input: RegisterDomainInput!) {
    registerDomain(input: $input) { purchase { id key domainName } errors { code message } }
  }
`;

/** A purchase by a key that all tenants use; `refusals` are the codes that it may end with. */
const purchase = (
  key: string,
  nameFor: (tenant: string) => string,
  refusals: readonly string[],
): Question => ({
  query: registering,
  variables: (tenant) => ({ input: order({ domain: nameFor(tenant), idempotencyKey: key }) }),
  expect({ account, named, orders }) {
    const name = nameFor(account.tenant);
    named.add(name);
    orders.set(name, key);
  },
  check({ account, purchases }, { registerDomain: { purchase, errors } }) {
    const who = `${account.tenant} with ${key}`;
    for (const { code, message } of errors)
      assert.ok(refusals.includes(code), `${who}: ${message}`);
    if (!purchase) return assert.ok(errors.length > 0, `${who}: neither bought nor refused`);
    const { id, domainName, key: replayed } = purchase;
    assert.deepEqual(
      { domainName, replayed },
      { domainName: nameFor(account.tenant), replayed: key },
      who,
    );
    purchases.add(id);
  },
});

/** The outcome of a purchase in progress, or with an ambiguous refusal. */
const open = ['OUTCOME_UNKNOWN'];
const tooLate = ['NOT_AVAILABLE', ...open];

const writes = {
  hosts(pick) {
    const name = someName(pick);
    const owner = ownerOf(pick, name);
    const nameServers = [1, 2].map((n) => `${owner}-${n}-${pick.at}.example-hosts.net`);
    return {
      query:
        'mutation ($input: SetNameServersInput!) { setNameServers(input: $input) { errors { code } } }',
      variables: () => ({ input: { domain: name, nameServers } }),
      expect: ({ named }) => void named.add(name),
      check({ account }, { setNameServers: { errors } }) {
        // Some seeded domains cannot be changed by their owner either.
        assert.ok(
          errors.length > 0 || account.tenant === owner,
          `${account.tenant} changed ${name}`,
        );
      },
    };
  },
  /** Each tenant buys its own name with the same key, and must get its own purchase. */
  ownPurchase: ({ at, round }) =>
    purchase(`own-${round}-${at % 3}`, (tenant) => `${tenant}-buys-${round}-${at % 3}.site`, open),
  /** All tenants buy one name with the same key: one gets it, and the keys do not conflict. */
  samePurchase: ({ at, round }) =>
    purchase(`same-${round}-${at % 2}`, () => `wanted-${round}-${at % 2}.site`, tooLate),
} satisfies Record<string, (pick: Pick) => Question>;

export const questions: Readonly<Record<string, (pick: Pick) => Question>> = {
  ...reads,
  ...writes,
};

/** The kinds of queries, repeated by frequency; the most expensive ones are the rarest. */
export const kinds: readonly string[] = [
  ...Object.keys(reads).flatMap((kind) => [kind, kind, kind, kind]),
  ...Object.keys(writes),
];
