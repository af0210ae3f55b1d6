// Selections that samples of several modules share, and arguments that their fields share.

/** Fields of a domain that a customer must not see of another one. */
export const domainFields = `id name state nameServers authCode
  contacts { registrant { email company firstName } } customer labels { name value }
  purchases { totalCount } events { totalCount }`;

export const coverage = 'coverage { complete known listed oldestRowAt }';

/** A page of a connection. */
export const page = (fields: string) =>
  `totalCount pageInfo { hasNextPage hasPreviousPage startCursor endCursor } nodes { ${fields} }`;

export const afterAndBefore = (cursor: string) => [{ after: cursor }, { before: cursor, last: 9 }];

export const byIdAndKey = (id: string, key: string) => [{ by: { id } }, { by: { key } }];

/** The payload of a purchase. */
export const purchasePayload = `keyUsed replayed dryRun quote { period } purchase {
  id key kind state period customer price { amount } errors { code } }`;
