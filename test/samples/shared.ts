import { ada } from '../support/ada.ts';

// What samples of several modules share: documents, then selections and arguments, then values of inputs.

export const personText = `{
  firstName: "Ada", lastName: "Byron", email: "ada@example.com", phone: "+44 20 7946 0958",
  address: { line1: "12 St James's Square", city: "London", zipCode: "SW1Y 4JH", country: "GB" } }`;

/** A registration of one year; `more` are further members of the input. */
export const registrationText = (domain: string, selection: string, more = '') =>
  `registerDomain(input: { domain: "${domain}", nameServers: ["ns1.example.com", "ns2.example.com"],
    registrant: { fields: ${personText} } ${more} }) { ${selection} }`;

/** A mutation of a domain of the account; `more` are further members of the input. */
export const ofDomain = (field: string, more = '') =>
  `${field}(input: { domain: "reseller-demo.com" ${more} })`;

/** The calls before a registration is sent. */
export const bought = { tldlist: 1, resellerdetails: 1, singlecheckavailability: 1 };

/** A registration that succeeds. */
export const settledText = (key: string) =>
  registrationText(`settled-${key}.com`, 'purchase { id }', `, idempotencyKey: "${key}"`);
export const settled = (key: string) => `mutation { ${settledText(key)} }`;

/** The list of so many names, from the number `from` on. */
export const names = (count: number, from = 0) =>
  JSON.stringify(Array.from({ length: count }, (_, at) => `maple-${from + at}.com`));

/** A selection of two contacts of a domain. */
export const contacts = (field: string) =>
  `contacts { registrant { ${field} } billing { ${field} } }`;

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

export const hosts = ['ns1.example-dns.net', 'ns2.example-dns.net'];
export const otherHosts = ['ns3.example-dns.net', 'ns4.example-dns.net'];
export const dollar = { amount: '1', currency: 'USD' };
export const person = { fields: ada };
export const other = { fields: { ...ada, lastName: 'Other' } };
const flags = { privacyProtected: true, transferLocked: false, customer: 'acme' };
export const otherDefaults = { nameServers: otherHosts, ...flags };

/** Required values of a registration, and others for them and for the choices of a customer. */
export const values = { nameServers: hosts, registrant: person, contact: person };
export const otherValues = { registrant: other, contact: other, ...otherDefaults };

export const transferCode = 'Transfer-Code-01';
export const transfer = { domain: 'outside-$.co.uk', authCode: transferCode };

/** Limits of a registration, and of a transfer: one without a price cannot be above a limit. */
export const limits = { maxPrice: dollar, maxCost: dollar };
const euros = { amount: '900', currency: 'EUR' };
export const freeLimits = { maxPrice: euros, maxCost: euros };
