import { graphql, type ResultOf } from '../graph/graphql.ts';

const contactFields = graphql(`
  fragment ContactFields on Contact {
    firstName
    lastName
    company
    email
    phone { e164 number }
    address { line1 line2 line3 zipCode city state country }
  }
`);

/** Everything but the auth code, which has a document of its own. */
export const domainDocument = graphql(
  `query DomainPage($name: String!, $refresh: Boolean!) {
    domain(name: $name, refresh: $refresh) {
      name
      unicodeName
      state
      status
      registeredAt
      expiresAt
      remainingDays
      nameServers
      childNameServers { name addresses }
      privacyProtected
      transferLocked
      renewalQuote { period highest { amount currency } }
      contacts {
        registrant { ...ContactFields }
        administrative { ...ContactFields }
        technical { ...ContactFields }
        billing { ...ContactFields }
      }
    }
  }`,
  [contactFields],
);

export const authCodeDocument = graphql(
  `query AuthCode($name: String!) { domain(name: $name) { authCode } }`,
);

export const valueFields = graphql(
  `fragment ValueFields on ChangedValue {
    text state registeredAt expiresAt transferLocked privacyProtected nameServers days
  }`,
);

const eventFields = graphql(
  `fragment EventFields on Event {
    id type source caller foundAt
    before { ...ValueFields }
    after { ...ValueFields }
  }`,
  [valueFields],
);

/** The events of the domain, oldest first, and the newest event of any domain. */
export const eventsDocument = graphql(
  `query DomainEvents($name: DomainName!, $last: Int!) {
    events(last: $last, filter: { domain: $name }) {
      countAtLeast
      nodes { ...EventFields }
    }
    all: events(last: 1) { nodes { cursor } }
  }`,
  [eventFields],
);

/** The events of the domain after a cursor, as they are found. */
export const eventFoundDocument = graphql(
  `subscription EventFound($name: DomainName!, $after: String) {
    events(after: $after, filter: { domain: $name }) { ...EventFields }
  }`,
  [eventFields],
);

export type Domain = NonNullable<ResultOf<typeof domainDocument>['domain']>;
export type ChangedValue = ResultOf<typeof valueFields>;
export type DomainEvent = ResultOf<typeof eventFields>;
