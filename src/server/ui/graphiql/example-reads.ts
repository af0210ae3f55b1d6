export const search = `# One label under many TLDs: press the play button
# and choose. "SearchAsItComes" delivers each result
# as soon as it is known. Below the answer,
# "upstream" lists the upstream calls.
query Search {
  searchDomains(
    label: "maple-harbor"
    tlds: ["com", "net", "io", "de"]
  ) {
    name
    availability { state premium }
    totals { period certainty highest { amount currency } }
  }
}

query SearchAsItComes {
  searchDomains(
    label: "maple-harbor"
    filter: { first: 20 }
  ) @stream {
    name
    availability { state }
    price { amount currency }
  }
}
`;

export const bulkCheck = `# Three names are one upstream call.
query BulkCheck {
  availabilities(
    names: ["maple-harbor.com", "casino.com", "weather.net"]
  ) {
    name
    state
    premium
    price { amount currency }
    reason
  }
}
`;

export const prices = `# What a TLD costs, from the price list: one
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
    price { amount currency }
  }
  fiveYears: quote(operation: REGISTRATION, period: 5) {
    certainty
    lowest { amount currency }
    highest { amount currency }
  }
}
`;

export const detailPage = `# All that a page about one domain shows: two
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
    tld {
      price(operation: RENEWAL) { price { amount currency } }
    }
  }
}
`;

export const contacts = `# The four contacts of a domain. The details have
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

export const portfolio = `# The domains that expire next, and the whole
# account in numbers, both from one list: three
# upstream calls, the others for the balances and
# for what renewals cost.
query Portfolio {
  reseller { name balances { money { amount currency } } }
  domains(
    first: 10
    filter: { states: [ACTIVE] }
    orderBy: { field: EXPIRES_AT }
  ) {
    totalCount
    nodes { name expiresAt remainingDays }
    pageInfo { hasNextPage endCursor }
  }
  domainStats {
    byState { state count }
    byTld(first: 5) { tld count }
    renewals(months: 3) {
      month
      count
      totals { amount currency }
    }
  }
}
`;
