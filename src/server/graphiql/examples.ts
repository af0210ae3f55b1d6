import type { Surroundings } from './page.ts';

/** The tabs that a first visit opens with. None has variables or headers: GraphiQL does not show those of the first. */
export const exampleTabs = (surroundings: Surroundings): { query: string }[] =>
  (surroundings === 'sandbox'
    ? [overview, domain, prices, register, lostAnswer]
    : [overview, prices]
  ).map((query) => ({ query }));

const overview = `# What the account holds: press the play button.
# Under the answer, "upstream" tells which calls to the
# service it took.
query Overview {
  reseller {
    name
    balances { money { amount currency } }
  }
  domains(first: 5) {
    totalCount
    nodes { name state expiresAt remainingDays }
  }
  availability(name: "a-name-nobody-has.com") {
    state
    price { amount currency }
  }
}
`;

const domain = `# One domain with its contacts: two upstream calls, the
# second only because names of people are asked for.
query Domain {
  domain(name: "reseller-demo.com") {
    name
    state
    nameServers
    childNameServers { name addresses }
    transferLocked
    privacyProtected
    contacts { registrant { firstName lastName email phone { e164 } address { country } } }
  }
}
`;

const prices = `# Three names are one upstream call. What TLDs cost comes
# from the price list.
query Prices {
  availabilities(names: ["maple-harbor.com", "casino.com", "weather.net"]) {
    name
    state
    premium
    price { amount currency }
  }
  tld(name: "com") {
    minPeriod
    maxPeriod
    prices(operation: REGISTRATION) { period price { amount currency } }
  }
}
`;

const person = `{
      firstName: "Ada"
      lastName: "Byron"
      email: "ada@example.com"
      phone: "+44 20 7946 0958"
      address: { line1: "12 St James's Square", city: "London", zipCode: "SW1Y 4JH", country: "GB" }
    }`;

const registration = (name: string, key: string) => `registerDomain(input: {
    domain: "${name}"
    period: 1
    nameServers: ["ns1.example.com", "ns2.example.com"]
    idempotencyKey: "${key}"
    registrant: ${person}
  }) {
    operation { id state price { amount currency } }
    domain { name state expiresAt }
    errors { code message }
  }`;

const register = `# Buys a domain with the sandbox's money. Press play
# twice: the key makes sure that it is bought once.
mutation Register {
  ${registration('maple-harbor.com', 'graphiql-example-1')}
}
`;

const lostAnswer = `# The service registers the domain, and its answer gets
# lost on the way: in the sandbox, names that begin with
# "lost-answer-" do that. The operation is settled by
# reading, and nothing is bought twice.
mutation LostAnswer {
  ${registration('lost-answer-maple.com', 'graphiql-example-2')}
}
`;
