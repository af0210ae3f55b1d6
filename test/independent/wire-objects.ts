// Objects of the specification, "Resources and their fields".

// biome-ignore lint/suspicious/noExplicitAny: requests and replies of any shape
export type Json = any;

const dayMs = 86_400_000;
const priceOperations = ['registration', 'renew', 'transfer', 'restore', 'backorder', 'refund'];

/** A TLD entry with the same prices for every operation. */
export const tldEntry = (id: number, tld: string, currency: string, years: Json): Json => ({
  id,
  status: 'Active',
  tld,
  minchar: 3,
  maxchar: 63,
  minperiod: Number(Object.keys(years)[0]),
  maxperiod: 10,
  pricing: Object.fromEntries(priceOperations.map((operation) => [operation, years])),
  currencies: Object.fromEntries(priceOperations.map((operation) => [operation, currency])),
});

export const availabilityEntry = (label: string, entry: Json, isFree: boolean): Json => ({
  TLD: entry.tld,
  DomainName: label,
  Status: isFree ? 'available' : 'notavailable',
  Command: 'create',
  Period: 1,
  IsFee: false,
  Price: Object.values(entry.pricing.registration)[0],
  Currency: entry.currencies.registration,
  Reason: isFree ? null : 'Domain exists',
});

const isoText = (ms: number) => `${new Date(ms).toISOString().slice(0, -1)}4567`;

/** Domain details as `getdetails` returns them. `Registrant` and `others` are numbers of contacts. */
export function domainDetails(
  name: string,
  years: number,
  Registrant: number,
  others: number,
): Json {
  const roles = { Billing: others, Technical: others, Administrative: others, Registrant };
  const now = Date.now();
  return {
    ID: 38,
    Status: 'Active',
    DomainName: name,
    AuthCode: 'Code-of-domain-1',
    LockStatus: 'true',
    PrivacyProtectionStatus: 'false',
    IsChildNameServer: 'false',
    Contacts: Object.fromEntries(Object.entries(roles).map(([role, ID]) => [role, { ID }])),
    Dates: {
      Start: isoText(now),
      Expiration: isoText(now + years * 365 * dayMs),
      RemainingDays: years * 365,
    },
    NameServers: ['ns1.host.example', 'ns2.host.example'],
    Additional: [],
    ChildNameServers: [],
  };
}

/** The same as registrations and synchronisations return them: without numbers, and with a zone. */
export const freshDetails = ({ Dates, ...details }: Json, Status: string): Json => ({
  ...details,
  ID: 0,
  Status,
  AuthCode: '',
  Contacts: Object.fromEntries(Object.keys(details.Contacts).map((role) => [role, { ID: 0 }])),
  Dates: { Start: `${Dates.Start}Z`, Expiration: `${Dates.Expiration}Z`, RemainingDays: 0 },
});

const contactTypes = {
  Administrative: 'Contact',
  Billing: 'UkContact',
  Registrant: 'EuContact',
  Technical: 'CoopContact',
};

/** The four contact objects of a domain, from the contact inputs by their numbers. */
export const contactObjects = ({ Contacts }: Json, inputs: ReadonlyMap<number, Json>): Json =>
  Object.fromEntries(
    Object.entries(contactTypes).map(([role, Type]) => {
      const { ID } = Contacts[role];
      return [
        role,
        { ID, Status: null, Additional: [], AuthCode: '', Type, ...contact(inputs.get(ID)) },
      ];
    }),
  );

function contact(input: Json): Json {
  const { State, City, Country, ZipCode, FirstName, LastName, Company, EMail } = input;
  const Phone = { Number: input.Phone, CountryCode: String(input.PhoneCountryCode) };
  const lines = { Line1: input.AddressLine1, Line2: input.AddressLine2 ?? '', Line3: '' };
  return {
    Address: { ...lines, State, City, Country, ZipCode },
    Phone: { Phone, Fax: { Number: '', CountryCode: '' } },
    FirstName,
    LastName,
    Company,
    EMail,
  };
}
