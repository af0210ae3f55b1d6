import { GraphQLObjectType, GraphQLSchema, isObjectType } from 'graphql';

/** The root fields in the order in which a person uses them. The documentation of GraphiQL and `schema.graphql` show this order. */
const first: Readonly<Record<string, readonly string[]>> = {
  Query: [
    ...['searchDomains', 'availability', 'availabilities', 'tld', 'tlds'],
    ...['purchase', 'purchases'],
    ...['domain', 'domainsByName', 'domains', 'domainStats'],
  ],
  Mutation: [
    ...['registerDomain', 'transferDomain', 'cancelPurchase'],
    ...['setNameServers', 'addChildNameServer', 'setPrivacyProtection', 'disableTransferLock'],
    ...['syncDomain', 'trackDomains', 'setDomainCustomer', 'labelDomains'],
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

/** The schema with its root fields in order. A field that no list names follows the one that is declared before it. */
export function inOrderOfUse(schema: GraphQLSchema, features: Ordered): GraphQLSchema {
  const { query, mutation, types, ...rest } = schema.toConfig();
  const roots = new Map(
    [query, mutation].flatMap((type) => (type ? [[type, ordered(type, features)]] : [])),
  );
  return new GraphQLSchema({
    ...rest,
    query: query && roots.get(query),
    mutation: mutation && roots.get(mutation),
    types: types.map((type) => (isObjectType(type) && roots.get(type)) || type),
  });
}

function ordered(type: GraphQLObjectType, features: Ordered): GraphQLObjectType {
  const { name } = type;
  const following = (core?: string) =>
    features
      .filter(({ after = {} }) => after[name] === core)
      .flatMap(({ rootFields = {} }) => rootFields[name] ?? []);
  const names = [
    ...(first[name] ?? []).flatMap((field) => [field, ...following(field)]),
    ...[...following(), ...(last[name] ?? [])],
  ];
  const { fields, ...config } = type.toConfig();
  let place = names.length;
  const placed = Object.entries(fields).map((entry) => {
    const listed = names.indexOf(entry[0]);
    if (listed >= 0) place = listed;
    return { entry, place };
  });
  const sorted = placed.toSorted((one, other) => one.place - other.place).map(({ entry }) => entry);
  return new GraphQLObjectType({ ...config, fields: Object.fromEntries(sorted) });
}
