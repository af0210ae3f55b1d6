// The customers of the demo: domains, a stored contact, and the name servers of the shop. A real shop has its own.

const contact = {
  ...{ firstName: 'Ada', lastName: 'Lovelace', company: 'Ada’s Bakery' },
  ...{ email: 'ada@example.org', phone: '+49 30 123456' },
  address: { line1: 'Musterweg 1', zipCode: '10115', city: 'Berlin', country: 'DE' },
};

/** Words in the names of the domains that each customer gets. */
const shares = {
  'adas-bakery': ['bakery', 'birch', 'cedar', 'expiring'],
  'blue-bicycle': ['bridge', 'compass', 'circle'],
};

/**
 * Makes them at the first start.
 *
 * @param {string} token with the rights of the staff
 * @throws Error when the gateway refuses something
 */
export async function seed(gateway, token) {
  const query = createQuery(gateway, token);
  const { domains } = await query(
    `{ domains(filter: { customer: "adas-bakery" }) { totalCount } }`,
  );
  if (domains.totalCount > 0) return;

  await query(`mutation { setDefaults(input: {
    nameServers: ["ns1.example-dns.net", "ns2.example-dns.net"], privacyProtected: true
  }) { errors { message } } }`);
  const { saved } = await query(
    `mutation ($contact: ContactInput!) {
      saved: saveContactProfile(input: { customer: "adas-bakery", name: "Bakery", contact: $contact }) {
        profile { id } errors { message }
      }
    }`,
    { contact },
  );
  await query(
    `mutation ($profile: ID!) {
      setDefaults(input: { customer: "adas-bakery", profile: $profile }) { errors { message } }
    }`,
    { profile: saved.profile.id },
  );
  for (const [customer, words] of Object.entries(shares)) {
    const names = new Set();
    for (const word of words) {
      const found = await query(
        `query ($word: String!) { domains(first: 100, filter: { contains: $word }) { nodes { name } } }`,
        { word },
      );
      for (const { name } of found.domains.nodes) names.add(name);
    }
    if (names.size === 0) continue;
    await query(
      `mutation ($input: SetDomainCustomerInput!) { setDomainCustomer(input: $input) { errors { message } } }`,
      { input: { names: [...names], customer } },
    );
  }
}

function createQuery(gateway, token) {
  return async (document, variables = {}) => {
    const response = await fetch(new URL('/graphql', gateway), {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ query: document, variables }),
    });
    const { data, errors = [] } = await response.json();
    const refusals = Object.values(data ?? {}).flatMap((payload) => payload?.errors ?? []);
    const [failure] = [...errors, ...refusals];
    if (failure) throw new Error(`The demo data cannot be made: ${failure.message}`);
    return data;
  };
}
