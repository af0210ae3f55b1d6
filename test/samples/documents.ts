// Texts of documents that samples and tests share.

export const personText = `{
  firstName: "Ada", lastName: "Byron", email: "ada@example.com", phone: "+44 20 7946 0958",
  address: { line1: "12 St James's Square", city: "London", zipCode: "SW1Y 4JH", country: "GB" } }`;

/** A registration of one year; `more` are further members of the input. */
export const registration = (domain: string, selection: string, more = '') =>
  `registerDomain(input: { domain: "${domain}", nameServers: ["ns1.example.com", "ns2.example.com"],
    registrant: { fields: ${personText} } ${more} }) { ${selection} }`;

/** A mutation of a domain of the account; `more` are further members of the input. */
export const ofDomain = (field: string, more = '') =>
  `${field}(input: { domain: "reseller-demo.com" ${more} })`;

/** The calls before a registration is sent. */
export const bought = { tldlist: 1, resellerdetails: 1, singlecheckavailability: 1 };

/** A registration that succeeds. */
export const settled = (key: string) =>
  `mutation { ${registration(`settled-${key}.com`, 'purchase { id }', `, idempotencyKey: "${key}"`)} }`;

/** The list of so many names, from the number `from` on. */
export const names = (count: number, from = 0) =>
  JSON.stringify(Array.from({ length: count }, (_, at) => `maple-${from + at}.com`));

/** A selection of two contacts of a domain. */
export const contacts = (field: string) =>
  `contacts { registrant { ${field} } billing { ${field} } }`;
