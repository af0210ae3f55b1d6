const person = `{
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
    registrant: ${person}
  }) {
    purchase { id state price { amount currency } nextStep }
    domain { name state expiresAt }
    replayed
    errors { code message }
  }`;

export const register = `# Buys a domain with the sandbox's money. Press
# play twice: the key makes sure that it is bought
# once, and "replayed" says so.
mutation Register {
  ${registration('maple-harbor.com', 'graphiql-register')}
}
`;

export const lostAnswer = `# The service takes the order, its answer is lost,
# and it registers the domain three seconds later:
# in the sandbox names that begin with "late-" do
# that. The purchase is PENDING. Play "HowItEnded"
# after a few seconds: it is settled by reading,
# and nothing is bought twice.
mutation LostAnswer {
  ${registration('late-maple.com', 'graphiql-lost-answer')}
}

query HowItEnded {
  purchaseByKey(key: "graphiql-lost-answer") {
    state
    submittedAt
    settledAt
    domain { name state }
  }
}
`;

export const transfer = `# Transfers a domain into the account. It is
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
      error { code message }
    }
  }
}
`;

export const nameServers = `# Sets the name servers. What this gateway writes
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

export const errors = `# All problems of an order are returned together,
# as data, each with its own fields. A dry run never
# buys anything. docs/errors.md lists every code.
mutation Errors {
  registerDomain(input: {
    domain: "casino.com"
    period: 11
    nameServers: ["ns1.example.com", "ns2.example.com"]
    maxPrice: { amount: "10", currency: "USD" }
    dryRun: true
    registrant: ${person}
  }) {
    purchase { id }
    errors {
      __typename
      code
      message
      path
      executed
      retryable
      ... on PeriodOutOfRange { minimum maximum }
      ... on PremiumNotAccepted { price { amount currency } }
    }
  }
}
`;
