import { GraphQLObjectType, GraphQLSchema, isObjectType } from 'graphql';

/** The root fields in the order in which a person uses them. The documentation of GraphiQL and `schema.graphql` show this order. */
const order: Readonly<Record<string, readonly string[]>> = {
  Query: [
    ...['searchDomains', 'availability', 'availabilities', 'tld', 'tlds'],
    ...['purchase', 'purchases', 'quoteOrder', 'order', 'orders'],
    ...['domain', 'domainsByName', 'domains', 'domainStats'],
    ...['previewBulkChange', 'bulkChange', 'bulkChanges'],
    ...['contactProfiles', 'purchaseDefaults', 'approvals'],
    ...['events', 'webhook', 'webhooks', 'auditLog', 'calendarFeeds'],
    ...['reseller', 'gateway', 'node', 'nodes'],
  ],
  Mutation: [
    ...['registerDomain', 'transferDomain', 'cancelPurchase'],
    ...['placeOrder', 'cancelOrder', 'retryOrder', 'createCartFromQuote'],
    ...['setNameServers', 'addChildNameServer', 'setPrivacyProtection', 'disableTransferLock'],
    ...['syncDomain', 'trackDomains', 'setDomainCustomer', 'labelDomains'],
    ...['changeDomains', 'cancelBulkChange', 'retryBulkChange'],
    ...['saveContactProfile', 'deleteContactProfile', 'setDefaults'],
    ...['approve', 'reject'],
    ...['createWebhook', 'updateWebhook', 'deleteWebhook', 'testWebhook'],
    ...['rotateWebhookSecret', 'redeliverWebhookEvent'],
    ...['createCalendarFeed', 'deleteCalendarFeed'],
    ...['createCart', 'updateHostingGroup', 'deleteHostingGroup', 'deleteLogs', 'logout'],
  ],
};

/** The schema with its root fields in order. @throws Error for a root field without a place */
export function inOrderOfUse(schema: GraphQLSchema): GraphQLSchema {
  const { query, mutation, types, ...rest } = schema.toConfig();
  const roots = new Map([query, mutation].flatMap((type) => (type ? [[type, ordered(type)]] : [])));
  return new GraphQLSchema({
    ...rest,
    query: query && roots.get(query),
    mutation: mutation && roots.get(mutation),
    types: types.map((type) => (isObjectType(type) && roots.get(type)) || type),
  });
}

function ordered(type: GraphQLObjectType): GraphQLObjectType {
  const names = order[type.name] ?? [];
  const placeOf = (field: string) => {
    const place = names.indexOf(field);
    if (place < 0) throw new Error(`root-order.ts has no place for ${type.name}.${field}.`);
    return place;
  };
  const { fields, ...config } = type.toConfig();
  const sorted = Object.entries(fields).sort(([one], [other]) => placeOf(one) - placeOf(other));
  return new GraphQLObjectType({ ...config, fields: Object.fromEntries(sorted) });
}
