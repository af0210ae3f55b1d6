export const person = `{
  firstName: "Ada", lastName: "Byron", email: "ada@example.com", phone: "+44 20 7946 0958",
  address: { line1: "12 St James's Square", city: "London", zipCode: "SW1Y 4JH", country: "GB" } }`;

/** A registration of one year; `more` are further members of the input. */
export const registration = (domain: string, selection: string, more = '') =>
  `registerDomain(input: { domain: "${domain}", nameServers: ["ns1.example.com", "ns2.example.com"],
    registrant: { fields: ${person} } ${more} }) { ${selection} }`;

export const transfer = (more: string) =>
  `transferDomain(input: { domain: "outside-shop.com", authCode: "Transfer-Code-01" ${more} })`;

export const named = (field: string, more = '') =>
  `${field}(input: { domain: "reseller-demo.com" ${more} })`;
export const bought = { tldlist: 1, resellerdetails: 1, singlecheckavailability: 1 };
export const checked = { ...bought, getdetails: 1 };

/** A purchase whose reply is lost and which the sandbox completes seconds later: `PENDING` for a while. */
export const pending = (key: string) =>
  `mutation { ${registration('late-maple.com', 'purchase { id }', `, idempotencyKey: "${key}"`)} }`;
export const settled = (key: string) =>
  `mutation { ${registration(`settled-${key}.com`, 'purchase { id }', `, idempotencyKey: "${key}"`)} }`;
/** A transfer that the upstream accepted and that is not complete. */
export const inProgress = (key: string) =>
  `mutation { transferDomain(input: { domain: "outside-${key}.com", authCode: "Transfer-Code-01",
    idempotencyKey: "${key}" }) { purchase { id } } }`;
/** A change of one domain, in the background. */
export const changed = (key: string) =>
  `mutation { changeDomains(input: { idempotencyKey: "${key}", names: ["unlocked-demo.com"],
    expectedCount: 1, change: { privacyProtected: true } }) { bulkChange { id } } }`;
