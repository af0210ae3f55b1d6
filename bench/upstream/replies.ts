import {
  currency,
  domainOf,
  numberOf,
  offerFor,
  personOf,
  type Role,
  registrationPrice,
  roles,
  tlds,
} from './world.ts';

// The replies of the Domain API in their wire shapes, created once and stored as bytes.

const bytes = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

function details(number: number) {
  const { name, locked, expiresAt, nameServers } = domainOf(number);
  const contact = (role: number) => ({ ID: number * 4 + role + 1 });
  return {
    ID: number + 1,
    Status: 'Active',
    DomainName: name,
    AuthCode: `auth-${number}`,
    LockStatus: String(locked),
    PrivacyProtectionStatus: 'false',
    IsChildNameServer: 'false',
    Contacts: {
      Billing: contact(3),
      Technical: contact(2),
      Administrative: contact(1),
      Registrant: contact(0),
    },
    Dates: {
      Start: '2020-01-01T12:00:00.0000000',
      Expiration: expiresAt.toISOString().replace('Z', '0000'),
      RemainingDays: 900,
    },
    NameServers: nameServers,
    Additional: [],
    ChildNameServers: [],
  };
}

const typeOf: Readonly<Record<Role, string>> = {
  Registrant: 'EuContact',
  Administrative: 'Contact',
  Technical: 'CoopContact',
  Billing: 'UkContact',
};

function contact(number: number, role: Role) {
  const person = personOf(number, role);
  return {
    ID: number * 4 + roles.indexOf(role) + 1,
    Status: null,
    Additional: [],
    Address: {
      ...{ Line1: '1 Harbour Street', Line2: '', Line3: '', State: 'Berlin' },
      ...{ City: person.city, Country: person.country, ZipCode: '10115' },
    },
    Phone: {
      Phone: { Number: person.number, CountryCode: person.countryCode },
      Fax: { Number: '', CountryCode: '' },
    },
    AuthCode: '',
    FirstName: person.firstName,
    LastName: person.lastName,
    Company: 'Example Trading',
    EMail: person.email,
    Type: typeOf[role],
  };
}

function tldEntry(tld: string, number: number) {
  const yearly = Object.fromEntries(
    Array.from({ length: 10 }, (_, year) => [year + 1, registrationPrice(number, year + 1)]),
  );
  const once = { 1: registrationPrice(number) };
  const pricing = {
    ...{ backorder: once, refund: once, restore: once, transfer: once },
    ...{ renew: yearly, registration: yearly },
  };
  return {
    ...{ id: number + 1, status: 'Active', tld },
    ...{ minchar: 2, maxchar: 63, minperiod: 1, maxperiod: 10, pricing },
    currencies: Object.fromEntries(Object.keys(pricing).map((key) => [key, currency])),
  };
}

function availabilityEntry(name: string) {
  const { label, tld, available, premium, price } = offerFor(name);
  return {
    ...{ TLD: tld, DomainName: label, Status: available ? 'available' : 'notavailable' },
    ...{ Command: 'create', Period: 1, IsFee: premium, Price: price, Currency: currency },
    Reason: available ? null : 'Domain exists',
  };
}

/** What a request may carry; credentials are not checked. */
interface CallBody {
  readonly domain?: string;
  readonly domains?: readonly string[];
}

/** The reply to each action over a portfolio of so many domains; null where the service knows no such domain. */
export function createReplies(domains: number) {
  const made = new Map<string, Buffer>();
  const keep = (key: string, make: () => Buffer) => {
    const known = made.get(key) ?? make();
    made.set(key, known);
    return known;
  };
  const about = (kind: string, name: string, make: (number: number) => unknown) => {
    const number = numberOf(name);
    if (!(number < domains && domainOf(number).name === name)) return null;
    return keep(`${kind} ${name}`, () => bytes({ data: make(number), result: 'OK' }));
  };
  const contacts = (number: number) => ({
    contacts: Object.fromEntries(roles.map((role) => [role, contact(number, role)])),
  });
  const actions: Readonly<Record<string, (call: CallBody) => Buffer | null>> = {
    getdomainlist: () => keep('list', () => listOf(domains)),
    tldlist: () => keep('tlds', () => bytes({ data: tlds.map(tldEntry), result: 'OK' })),
    getdetails: ({ domain = '' }) => about('details', domain, details),
    getcontacts: ({ domain = '' }) => about('contacts', domain, contacts),
    singlecheckavailability: ({ domain = '' }) => bytes([availabilityEntry(domain)]),
    bulkcheckavailability: ({ domains: names = [] }) =>
      bytes({
        status: 'success',
        availability: Object.fromEntries(names.map((name) => [name, [availabilityEntry(name)]])),
      }),
  };
  // Frequent replies are created before a measured round.
  actions.getdomainlist?.({});
  actions.tldlist?.({});
  return actions;
}

/** Row by row: as one value, 100,000 of them would be held twice. */
function listOf(domains: number): Buffer {
  const rows = Array.from({ length: domains }, (_, number) => JSON.stringify(details(number)));
  return Buffer.from(
    `{"data":{"Domains":[${rows.join(',')}]},"result":"OK","TotalCount":${domains}}`,
  );
}
