import type { UpstreamKind } from '../page.ts';

const search = `# Labels under many TLDs: press the play button
# and choose. "SearchAsItComes" delivers each result
# as soon as it surely is one of the first 20; sort
# them by "position". Below the answer, "upstream"
# lists the upstream calls.
query Search {
  searchDomains(
    labels: ["maple-harbor", "oak-harbor"]
    tlds: ["com", "net", "io", "de"]
  ) {
    availability { name state premium }
    totals { period certainty highest { amount currency } }
  }
}

query SearchAsItComes {
  searchDomains(
    labels: ["maple-harbor"]
    first: 20
    filter: { available: true }
  ) @stream {
    position
    availability {
      name
      state
      quote { period highest { amount currency } }
    }
  }
}
`;

const bulkCheck = `# The price for customers, and the cost at the registrar.
query BulkCheck {
  availabilities(
    names: ["maple-harbor.com", "casino.com", "weather.net"]
  ) {
    name
    state
    premium
    price { amount currency } cost { amount currency }
    reason
  }
}
`;

const prices = `# What a TLD costs, from the price list: one
# upstream call for all TLDs of the document.
# The list has one year; five years are a range.
query Prices {
  com: tld(name: "com") { ...terms }
  io: tld(name: "io") { ...terms }
}

fragment terms on Tld {
  name
  minPeriod
  maxPeriod
  registration: prices(operation: REGISTRATION) {
    period
    price { amount currency }
  }
  renewal: price(operation: RENEWAL) {
    period
    price { amount currency }
  }
  fiveYears: quote(operation: REGISTRATION, period: 5) {
    certainty
    lowest { amount currency }
    highest { amount currency }
  }
}
`;

const detailPage = `# All that a page about one domain shows: two
# upstream calls, the second for what a renewal
# costs.
query DetailPage {
  domain(name: "reseller-demo.com") {
    unicodeName
    state
    registeredAt
    expiresAt
    remainingDays
    transferLocked
    privacyProtected
    nameServers
    childNameServers { name addresses }
    renewalQuote { period highest { amount currency } }
  }
}
`;

const contacts = `# The four contacts of a domain. The details have
# their ids only, so names of people are a second
# upstream call.
query Contacts {
  domain(name: "reseller-demo.com") {
    contacts {
      registrant { ...person }
      administrative { ...person }
      technical { ...person }
      billing { ...person }
    }
  }
}

fragment person on Contact {
  id
  firstName
  lastName
  email
  phone { e164 }
  address { line1 city country }
}
`;

export const person = `{
      firstName: "Ada"
      lastName: "Byron"
      email: "ada@example.com"
      phone: "+44 20 7946 0958"
      address: {
        line1: "12 St James's Square"
        city: "London"
        zipCode: "SW1Y 4JH"
        country: "GB"
      }
    }`;

const registration = (name: string, key: string) => `registerDomain(input: {
    domain: "${name}"
    period: 1
    nameServers: ["ns1.example.com", "ns2.example.com"]
    idempotencyKey: "${key}"
    registrant: { fields: ${person} }
  }) {
    purchase { id state price { amount currency } nextStep }
    domain { name state expiresAt }
    replayed
    errors { code message }
  }`;

const register = `# Buys a domain with the sandbox's money. Press
# play twice: the key makes sure that it is bought
# once, and "replayed" says so.
mutation Register {
  ${registration('maple-harbor.com', 'graphiql-register')}
}
`;

const lostAnswer = `# The service takes the order, its answer is lost,
# and it registers the domain three seconds later:
# in the sandbox names that begin with "late-" do
# that. The purchase is PENDING. Play "HowItEnded"
# after a few seconds: it is settled by reading,
# and nothing is bought twice.
mutation LostAnswer {
  ${registration('late-maple.com', 'graphiql-lost-answer')}
}

query HowItEnded {
  purchase(by: { key: "graphiql-lost-answer" }) {
    state
    submittedAt
    settledAt
    domain { name state }
  }
}
`;

const transfer = `# Transfers a domain into the account. It is
# IN_PROGRESS for about five days; the gateway reads
# it until it has ended. In the sandbox names that
# begin with "outside-" arrive, and names that begin
# with "reject-" are rejected and refunded.
mutation Transfer {
  transferDomain(input: {
    domain: "outside-harbor.com"
    authCode: "Transfer-Code-01"
    idempotencyKey: "graphiql-transfer"
  }) {
    purchase { id state nextStep transfer { stage startedAt expectedBy } }
    errors { code message }
  }
}

query Transfers {
  purchases(filter: { kinds: [TRANSFER] }) {
    nodes {
      domainName
      state
      transfer { stage startedAt expectedBy endedAt refunded }
      errors { code message }
    }
  }
}
`;

const nameServers = `# Sets the name servers. What this gateway writes
# it sees at once: the domain below is read after
# the write.
mutation NameServers {
  setNameServers(input: {
    domain: "unlocked-demo.com"
    nameServers: ["ns1.reseller-demo.com", "ns2.reseller-demo.com"]
  }) {
    nameServers
    domain { name nameServers }
    errors { code message executed }
  }
}
`;

const errors = `# All problems of an order are returned together,
# as data. The fields of the interface are enough; some
# errors have facts beside them. A dry run never buys
# anything. The type ErrorCode lists every code.
mutation Errors {
  registerDomain(input: {
    domain: "casino.com"
    period: 11
    nameServers: ["ns1.example.com", "ns2.example.com"]
    maxPrice: { amount: "10", currency: "USD" }
    dryRun: true
    registrant: { fields: ${person} }
  }) {
    purchase { id }
    errors {
      __typename
      code
      message
      path
      executed
      retryable
      upstreamCode
      upstreamMessage
      ... on PeriodOutOfRange { minimum maximum }
      ... on PremiumNotAccepted { price { amount currency } }
    }
  }
}
`;

/** A tab of GraphiQL. */
export interface Example {
  readonly query: string;
  /** Whether it writes nothing and names no domain of the sandbox. */
  readonly isForLive?: true;
}

const forLive = [search, bulkCheck, prices];

const inSandbox = [
  search,
  bulkCheck,
  prices,
  detailPage,
  register,
  lostAnswer,
  transfer,
  nameServers,
  contacts,
];

/** The tabs of a first visit. For a live account they are queries only, without domains of the sandbox. */
export const exampleTabs = (
  environment: UpstreamKind,
  ofFeatures: readonly Example[],
): readonly { readonly query: string }[] => {
  const queriesOf = (some: readonly Example[]) => some.map(({ query }) => query);
  const queries =
    environment === 'sandbox'
      ? [...inSandbox, ...queriesOf(ofFeatures), errors]
      : [...forLive, ...queriesOf(ofFeatures.filter(({ isForLive }) => isForLive))];
  return queries.map((query) => ({ query }));
};
