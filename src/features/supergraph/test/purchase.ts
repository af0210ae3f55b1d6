/** A purchase of one year. */
export const buy = (domain: string) => `
  mutation {
    registerDomain(input: {
      domain: "${domain}", nameServers: ["ns1.example.com", "ns2.example.com"], idempotencyKey: "${domain}"
      registrant: { fields: {
        firstName: "Ada", lastName: "Byron", email: "ada@example.com", phone: "+44 20 7946 0958"
        address: { line1: "12 St James's Square", city: "London", zipCode: "SW1Y 4JH", country: "GB" }
      } }
    }) { purchase { state key } errors { code } domain { name visits } }
  }
`;

/** The expected result through a gateway that adds `visits` to the domain. */
export const bought = (domain: string) => ({
  registerDomain: {
    purchase: { state: 'SUCCEEDED', key: domain },
    errors: [],
    domain: { name: domain, visits: domain.length * 10 },
  },
});
