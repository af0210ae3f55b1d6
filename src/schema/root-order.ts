import { type GraphQLNamedType, GraphQLObjectType, GraphQLSchema, isObjectType } from 'graphql';
import { rootsOf, typesFrom, typesOf } from './type-graph.ts';

/** The root fields in the order in which a person uses them. The documentation of GraphiQL and `schema.graphql` show this order. */
const first: Readonly<Record<string, readonly string[]>> = {
  Query: [
    ...['searchDomains', 'availability', 'availabilities', 'tld', 'tlds'],
    ...['purchase', 'purchases'],
    ...['domain', 'domainsByName'],
  ],
  Mutation: [
    ...['registerDomain', 'transferDomain', 'cancelPurchase'],
    ...['setNameServers', 'addChildNameServer', 'setPrivacyProtection', 'disableTransferLock'],
    ...['syncDomain', 'setDomainCustomer', 'labelDomains'],
  ],
};

/** Those after the root fields of features. A feature can name a field of `first` which its own follow. */
const last: typeof first = {
  Query: ['reseller', 'gateway', 'node', 'nodes'],
  Mutation: ['createCart', 'updateHostingGroup', 'deleteHostingGroup', 'deleteLogs', 'logout'],
};

/** The features, in their order. */
type Ordered = readonly {
  readonly rootFields?: Readonly<Record<string, readonly string[]>> | undefined;
  readonly after?: Readonly<Record<string, string>> | undefined;
}[];

/**
 * The schema with its root fields in order, and its types as a reader of these fields meets them, so that those of one topic are
 * together, and without types that nothing refers to. Fields that no list names follow those of `first`, by name.
 */
export function inOrderOfUse(schema: GraphQLSchema, features: Ordered): GraphQLSchema {
  const { query, mutation, types, ...rest } = schema.toConfig();
  const roots = new Map(
    [query, mutation].flatMap((type) => (type ? [[type, ordered(type, features)]] : [])),
  );
  const ofSchema = {
    ...rest,
    query: query && roots.get(query),
    mutation: mutation && roots.get(mutation),
    types: types.map((type) => (isObjectType(type) && roots.get(type)) || type),
  };
  return new GraphQLSchema({ ...ofSchema, types: inOrderOfReading(new GraphQLSchema(ofSchema)) });
}

function inOrderOfReading(schema: GraphQLSchema): readonly GraphQLNamedType[] {
  const met = new Set<GraphQLNamedType>();
  const read = (...start: readonly GraphQLNamedType[]): void => {
    const queue = [...start];
    for (const type of queue) {
      if (met.has(type)) continue;
      met.add(type);
      // The objects of `Node` belong to the topics of their own fields.
      queue.push(...typesFrom(type, schema, { object: (_object, { name }) => name !== 'Node' }));
    }
  };
  for (const root of rootsOf(schema)) {
    met.add(root);
    for (const field of Object.values(root.getFields())) read(...typesOf(field));
  }
  return [...met];
}

function ordered(type: GraphQLObjectType, features: Ordered): GraphQLObjectType {
  const { name } = type;
  const following = (core?: string) =>
    features
      .filter(({ after = {} }) => after[name] === core)
      .flatMap(({ rootFields = {} }) => rootFields[name] ?? []);
  const head = (first[name] ?? []).flatMap((field) => [field, ...following(field)]);
  const tail = [...following(), ...(last[name] ?? [])];
  const { fields, ...config } = type.toConfig();
  const others = Object.keys(fields).filter((field) => ![...head, ...tail].includes(field));
  const names = [...head, ...others, ...tail];
  const placeOf = ([field]: readonly [string, unknown]) => names.indexOf(field);
  const sorted = Object.entries(fields).sort((one, other) => placeOf(one) - placeOf(other));
  return new GraphQLObjectType({ ...config, fields: Object.fromEntries(sorted) });
}
