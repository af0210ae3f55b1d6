import { currency, domainOf, offerFor, personOf, type Role, tlds } from './upstream/world.ts';

/** One request of a workload: its form for the graph, its form for the plain proxy, and the expected response of both. */
export interface Exchange {
  readonly variables: Readonly<Record<string, unknown>>;
  /** Path and query at the plain proxy. */
  readonly path: string;
  /** Creates the exact `data` of the response. */
  readonly expected: () => unknown;
}

export interface Workload {
  readonly id: string;
  readonly title: string;
  readonly document: string;
  /** Clients that each send the next request as soon as they receive a response. */
  readonly clients: number;
  /** Maximum upstream calls by action of one request that runs alone, without caching. */
  readonly calls: Readonly<Record<string, number>>;
  /** The request of a number, which is unique within a run. */
  exchange(number: number): Exchange;
}

/** Domains of the portfolio in front of which every workload but that of growth runs. */
export const portfolioSize = 50;

const defaultClients = 20;

const everyDomain = Array.from({ length: portfolioSize }, (_, number) => domainOf(number));

/** A label that no request used before, in this run or another. */
const runId = Date.now().toString(36);
const freshLabel = (number: number) => `label-${runId}-${number}`;

const offerShown = (name: string) => {
  const { available, premium, price } = offerFor(name);
  return {
    ...{ name, state: available ? 'AVAILABLE' : 'TAKEN', premium },
    price: available ? { amount: price, currency } : null,
  };
};

const contactShown = (number: number, role: Role) => {
  const {
    firstName,
    lastName,
    email,
    countryCode,
    number: line,
    city,
    country,
  } = personOf(number, role);
  return {
    ...{ firstName, lastName, email },
    ...{ phone: { e164: `+${countryCode}${line}` }, address: { city, country } },
  };
};

const listOfDomains: Workload = {
  id: 'W1',
  title: '50 domains of the list',
  clients: defaultClients,
  calls: { getdomainlist: 1 },
  document: /* GraphQL */ `
    query W1 { domains(first: 50) { nodes { name expiresAt transferLocked nameServers } } }
  `,
  exchange: () => ({
    variables: {},
    path: '/domains?first=50',
    expected: () => ({
      domains: {
        nodes: everyDomain.map(({ name, expiresAt, locked, nameServers }) => ({
          ...{ name, expiresAt: expiresAt.toISOString(), transferLocked: locked, nameServers },
        })),
      },
    }),
  }),
};

const oneDomain: Workload = {
  id: 'W2',
  title: 'a domain, its contacts and its price',
  clients: defaultClients,
  calls: { getdetails: 1, getcontacts: 1, tldlist: 1 },
  document: /* GraphQL */ `
    query W2($name: String!) {
      domain(name: $name) {
        name
        contacts {
          registrant { ...who } administrative { ...who } technical { ...who } billing { ...who }
        }
        tld { price(operation: REGISTRATION) { price { amount currency } } }
      }
    }
    fragment who on Contact {
      firstName lastName email phone { e164 } address { city country }
    }
  `,
  exchange(number) {
    const at = number % portfolioSize;
    const { name } = domainOf(at);
    return {
      variables: { name },
      path: `/domain/${name}`,
      expected: () => ({
        domain: {
          name,
          contacts: {
            registrant: contactShown(at, 'Registrant'),
            administrative: contactShown(at, 'Administrative'),
            technical: contactShown(at, 'Technical'),
            billing: contactShown(at, 'Billing'),
          },
          tld: { price: { price: { amount: offerFor(name).price, currency } } },
        },
      }),
    };
  },
};

const everyRegistrant: Workload = {
  id: 'W3',
  title: '50 domains with their registrants',
  clients: defaultClients,
  calls: { getdomainlist: 1, getcontacts: 50 },
  document: /* GraphQL */ `
    query W3 {
      domains(first: 50) {
        nodes { name contacts { registrant { firstName lastName email } } }
      }
    }
  `,
  exchange: () => ({
    variables: {},
    path: '/registrants?first=50',
    expected: () => ({
      domains: {
        nodes: everyDomain.map(({ number, name }) => {
          const { firstName, lastName, email } = personOf(number, 'Registrant');
          return { name, contacts: { registrant: { firstName, lastName, email } } };
        }),
      },
    }),
  }),
};

const offerFields = 'name state premium price { amount currency }';

const namesOf = (number: number, count: number) =>
  tlds.slice(0, count).map((tld) => `${freshLabel(number)}.${tld}`);

const numbers = Array.from({ length: 50 }, (_, at) => at);

const aliases: Workload = {
  id: 'W4',
  title: `${numbers.length} aliases of a check`,
  clients: defaultClients,
  calls: { bulkcheckavailability: 1 },
  document: /* GraphQL */ `
    query W4(${numbers.map((at) => `$n${at}: String!`).join(', ')}) {
      ${numbers.map((at) => `a${at}: availability(name: $n${at}) { ${offerFields} }`).join('\n      ')}
    }
  `,
  exchange(number) {
    const names = namesOf(number, numbers.length);
    return {
      variables: Object.fromEntries(names.map((name, at) => [`n${at}`, name])),
      path: `/aliases?names=${names.join(',')}`,
      expected: () => Object.fromEntries(names.map((name, at) => [`a${at}`, offerShown(name)])),
    };
  },
};

/** One label over so many TLDs. */
export const labelOverTlds = (count: number): Workload => ({
  id: 'W4L',
  title: `a list of ${count} names`,
  clients: defaultClients,
  calls: count === 1 ? { singlecheckavailability: 1 } : { bulkcheckavailability: 1 },
  document: /* GraphQL */ `
    query W4L($names: [String!]!) { availabilities(names: $names) { ${offerFields} } }
  `,
  exchange(number) {
    const names = namesOf(number, count);
    return {
      variables: { names },
      path: `/availabilities?names=${names.join(',')}`,
      expected: () => ({ availabilities: names.map(offerShown) }),
    };
  },
});

/** So many people at the same time, each with a name of its own. */
export const oneNameEach = (clients: number): Workload => ({
  id: 'W4b',
  title: `${clients} clients, one name each`,
  clients,
  calls: { singlecheckavailability: 1 },
  document: /* GraphQL */ `
    query W4b($name: String!) { availability(name: $name) { ${offerFields} } }
  `,
  exchange(number) {
    const name = `${freshLabel(number)}.${tlds[number % 50]}`;
    return {
      variables: { name },
      path: `/availability/${name}`,
      expected: () => ({ availability: offerShown(name) }),
    };
  },
});

/** The same requests again and again, so many different ones. */
const repeated = (workload: Workload, count: number): Workload => ({
  ...workload,
  id: `${workload.id}-${count}`,
  title: `${workload.title}; ${count} different requests`,
  exchange: (number) => workload.exchange(number % count),
});

const nothing: Workload = {
  id: 'W5',
  title: '{ __typename }',
  clients: defaultClients,
  calls: {},
  document: '{ __typename }',
  exchange: () => ({ variables: {}, path: '/nothing', expected: () => ({ __typename: 'Query' }) }),
};

export const workloads: readonly Workload[] = [
  listOfDomains,
  oneDomain,
  everyRegistrant,
  aliases,
  labelOverTlds(50),
  oneNameEach(50),
  repeated(aliases, 20),
  repeated(labelOverTlds(50), 20),
  repeated(oneNameEach(50), 50),
  repeated(oneNameEach(50), 1_000),
  repeated(oneNameEach(50), 10_000),
  nothing,
];
