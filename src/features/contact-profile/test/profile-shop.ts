import { createHash } from 'node:crypto';
import { keyOf } from '../../../../test/access/keys.ts';
import { openShop, type Payload } from '../../../../test/graph/purchases/shop.ts';
import { ada } from '../../../../test/support/ada.ts';

const scopes = {
  staff: ['customers:write', 'contacts:read', 'domains:spend', 'domains:read', 'ops'],
  cashier: ['domains:spend', 'domains:read'],
};
/** Keys that are bound to a customer. */
const ofCustomers = ['acme', 'rival'];

const keys = [
  ...Object.entries(scopes).map(([name, some]) => ({ name, scopes: some, customer: null })),
  ...ofCustomers.map((name) => ({
    name,
    scopes: ['contacts:read', 'domains:spend'],
    customer: name,
  })),
];

const API_KEYS = JSON.stringify(
  Object.fromEntries(
    keys.map(({ name, ...key }) => [
      name,
      { ...key, sha256: createHash('sha256').update(keyOf(name)).digest('hex') },
    ]),
  ),
);

export const grace = { ...ada, firstName: 'Grace', lastName: 'Hopper', company: 'Cobol Ltd' };

export const profileFields =
  'id name customer contact { firstName lastName company email phone address { line1 line2 city state zipCode country } } createdAt updatedAt';
export const defaultFields =
  'customer profile { id name } nameServers privacyProtected transferLocked';
const errorFields = 'errors { code message path executed retryable }';

/** A shop with contact profiles, for callers by the names of their keys. */
export async function openProfileShop(env: Readonly<Record<string, string>> = {}) {
  const shop = await openShop({ env: { API_KEYS, ...env } });
  const { gateway } = shop;
  const ask = async (name: string, document: string, variables = {}): Promise<Payload> => {
    const { data, errors } = await gateway.query(document, variables, { 'x-api-key': keyOf(name) });
    return { ...data, ...(errors && { failures: errors }) };
  };
  const mutate = async (name: string, field: string, input: object, selection: string) => {
    const named = field.startsWith('delete')
      ? 'Id'
      : field.replace(/^./, (first) => first.toUpperCase());
    const type = `${named}Input!`;
    const document = `mutation ($input: ${type}) { ${field}(input: $input) { ${selection} ${errorFields} } }`;
    const { failures, ...data } = await ask(name, document, { input });
    return data[field] ?? { failures };
  };
  return {
    ...shop,
    ask,
    save: (name: string, input: object) =>
      mutate(
        name,
        'saveContactProfile',
        { contact: grace, ...input },
        `profile { id name customer }`,
      ),
    remove: (name: string, id: string) => mutate(name, 'deleteContactProfile', { id }, 'deletedId'),
    setDefaults: (name: string, input: object) =>
      mutate(name, 'setDefaults', input, `defaults { ${defaultFields} }`),
    buy: (name: string, input: object) =>
      mutate(name, 'registerDomain', input, 'purchase { id state } replayed'),
    /** The profiles that a caller sees. */
    list: async (name: string, args = '') =>
      (await ask(name, `{ contactProfiles${args} { totalCount nodes { ${profileFields} } } }`))
        .contactProfiles,
    /** The registrant and the contact that the registrar has for a domain, and its options. */
    async bought(domain: string) {
      const people = 'registrant { firstName } technical { firstName }';
      const fields = `nameServers privacyProtected transferLocked contacts { ${people} }`;
      const { contacts, ...rest } = (
        await ask('staff', `{ domain(name: "${domain}") { ${fields} } }`)
      ).domain;
      return {
        ...rest,
        registrant: contacts.registrant.firstName,
        contact: contacts.technical.firstName,
      };
    },
  };
}
