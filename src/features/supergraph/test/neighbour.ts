import { execute, type GraphQLSchema, print } from 'graphql';
import { createSchema } from 'graphql-yoga';
import type { TestGateway } from '../../../../test/support/gateway.ts';

/** A request of a router to a subgraph. */
interface SubgraphRequest {
  readonly document: Parameters<typeof print>[0];
  readonly variables?: object;
}

/** Executes a request over HTTP, like a router. */
export const overHttp =
  (gateway: TestGateway, headers?: Record<string, string>) =>
  async ({ document, variables }: SubgraphRequest) => {
    const { data, errors } = await gateway.query(print(document), variables, headers);
    return { data, errors };
  };

/** Executes a request in this process. */
export const inProcess =
  (schema: GraphQLSchema) =>
  async ({ document, variables }: SubgraphRequest) =>
    execute({ schema, document: document as never, variableValues: { ...variables } }) as never;

/** The visits of a domain, which the neighbour counts. */
export const visitsOf = (name: string): number => name.length * 10;

interface Named {
  readonly name: string;
  readonly expiresAt?: string | null;
}

const resolvers = {
  Query: {
    busiest: (_root: unknown, { names }: { names: readonly string[] }) =>
      names.map((name) => ({ name })),
  },
  Domain: {
    visits: ({ name }: Named) => visitsOf(name),
    reminder: ({ name, expiresAt }: Named) =>
      expiresAt ? `${name} ends on ${expiresAt.slice(0, 10)}` : null,
  },
};

/** Types of the neighbour's own that have the names of some of ours and nothing else in common. */
const collisions = /* GraphQL */ `
  type Contact { handle: Int! }
  type Cart { wheels: Int! }
  type Money { coins: [Int!]! }
  extend type Query { contact: Contact cart: Cart money: Money }
`;

/** The subgraph of another team: visits of domains, and a reminder that needs a field of our subgraph. */
export function federatedNeighbour({ prefix = '', collides = false } = {}) {
  const own = /* GraphQL */ `
    scalar ${prefix}DomainName
    scalar ${prefix}DateTime
    type ${prefix}Domain @key(fields: "name") {
      name: ${prefix}DomainName!
      expiresAt: ${prefix}DateTime @external
      visits: Int!
      reminder: String @requires(fields: "expiresAt")
    }
    type Query { busiest(names: [String!]!): [${prefix}Domain]! }
    ${collides ? collisions : ''}
  `;
  const link = /* GraphQL */ `
    extend schema @link(url: "https://specs.apollo.dev/federation/v2.4", import: ["@key", "@external", "@requires"])
  `;
  const machinery = /* GraphQL */ `
    directive @key(fields: String!) repeatable on OBJECT
    directive @external on FIELD_DEFINITION
    directive @requires(fields: String!) on FIELD_DEFINITION
    scalar _Any
    union _Entity = ${prefix}Domain
    extend type Query { _entities(representations: [_Any!]!): [_Entity]! }
  `;
  const { Query, Domain } = resolvers;
  const schema = createSchema({
    typeDefs: [own, machinery],
    resolvers: {
      Query: { ...Query, _entities: (_root, { representations }) => representations },
      _Entity: { __resolveType: () => `${prefix}Domain` },
      [`${prefix}Domain`]: Domain,
    },
  });
  return { sdl: link + own, schema };
}

/** The same for a stitching gateway: its part of a domain is loaded by name, in one batch. */
export function stitchedNeighbour() {
  const typeDefs = /* GraphQL */ `
    directive @merge(keyField: String) on FIELD_DEFINITION
    directive @computed(selectionSet: String!) on FIELD_DEFINITION
    scalar DomainName
    scalar DateTime
    type Domain {
      name: DomainName!
      visits: Int!
    }
    type Query {
      busiest(names: [String!]!): [Domain]!
      watchedDomains(names: [DomainName!]!): [Domain]! @merge(keyField: "name")
    }
  `;
  const own = {
    Query: {
      ...resolvers.Query,
      watchedDomains: resolvers.Query.busiest,
    },
    Domain: { visits: resolvers.Domain.visits },
  };
  return { sdl: typeDefs, resolvers: own, schema: createSchema({ typeDefs, resolvers: own }) };
}
