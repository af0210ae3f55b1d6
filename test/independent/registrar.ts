// A reseller account, by the specification only. Where it says "not shown", the simplest reply was chosen.

import {
  availabilityEntry,
  contactObjects,
  domainDetails,
  freshDetails,
  type Json,
  tldEntry,
} from './wire-objects.ts';

export interface Reply {
  /** Default 200. */
  readonly status?: number;
  /** Default `content-type: application/json`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** A text is sent as it is, another value as JSON; no body when absent. */
  readonly body?: unknown;
}

/** The failure body of the specification. The status of a failure is not shown. */
export const refusal = (Code: string, Details: string): Reply => ({
  status: 400,
  body: { result: 'ERROR', error: { Code, Message: 'Failed', Details } },
});

/** The only failure that the specification shows. */
const unknownObject = refusal('API_2303_ERROR', 'There are no additional details');
const ok = (data: unknown): Reply => ({ body: { data, result: 'OK' } });

/** An amount with four fractional digits, in ten-thousandths. */
const unitsOf = (amount: string) => BigInt(amount.replace('.', ''));

const tlds: readonly Json[] = [
  tldEntry(1, 'com', 'USD', { '1': '11.2900', '2': '22.5800' }),
  tldEntry(2, 'co.uk', 'EUR', { '1': '5.9000' }),
  tldEntry(3, 'ai', 'USD', { '2': '139.8000' }),
];

export class Registrar {
  /** Domain details by name. */
  readonly domains = new Map<string, Json>();
  /** Contact inputs by number. */
  readonly contacts = new Map<number, Json>();
  readonly account = { carts: 0, groups: new Map<string, Json>(), logs: 3, sessions: 1 };
  readonly #units = new Map([
    ['USD', unitsOf('500.0000')],
    ['EUR', unitsOf('50.0000')],
  ]);

  act(operation: string, fields: Json): Reply {
    return actions[operation]?.(this, fields) ?? { status: 404 };
  }

  balance(currency: string): string {
    const digits = String(this.#units.get(currency) ?? 0n).padStart(5, '0');
    return `${digits.slice(0, -4)}.${digits.slice(-4)}`;
  }

  /** Adds a domain; by default of two years, and of an owner who registered it elsewhere. */
  add(name: string, years = 2, registrant: Json = sample, others: Json = sample): Json {
    const details = domainDetails(name, years, this.#number(registrant), this.#number(others));
    this.domains.set(name, details);
    return details;
  }

  #number(contact: Json): number {
    const id = 501 + this.contacts.size;
    this.contacts.set(id, contact);
    return id;
  }

  /** Debits the listed price; false when there is none, or the balance is lower. */
  debit(domain: string, operation: string, period: number): boolean {
    const { pricing, currencies } = above(domain) ?? {};
    const price = pricing?.[operation][period];
    const left = (this.#units.get(currencies?.[operation]) ?? 0n) - unitsOf(price ?? '999999.0000');
    if (left < 0n) return false;
    this.#units.set(currencies[operation], left);
    return true;
  }

  /** Names that begin with `incoming-` are registered with another registrar. */
  availability(domain: string): Json[] {
    const entry = above(domain);
    const label = domain.slice(0, domain.indexOf('.'));
    const isFree = !this.domains.has(domain) && !label.startsWith('incoming-');
    return entry ? [availabilityEntry(label, entry, isFree)] : [];
  }
}

const above = (domain: string): Json =>
  tlds.find(({ tld }) => tld === domain.slice(domain.indexOf('.') + 1));

type Action = (registrar: Registrar, fields: Json) => Reply;

/** An action about a domain of the account. */
const owned =
  (act: (details: Json, fields: Json, registrar: Registrar) => Reply): Action =>
  (registrar, fields) => {
    const details = registrar.domains.get(fields.domain);
    return details ? act(details, fields, registrar) : unknownObject;
  };

const actions: Readonly<Record<string, Action>> = {
  getdetails: owned((details) => ok(details)),
  getcontacts: owned((details, _fields, { contacts }) =>
    ok({ contacts: contactObjects(details, contacts) }),
  ),
  getdomainlist: ({ domains }) => ({
    body: { data: { Domains: [...domains.values()] }, result: 'OK', TotalCount: domains.size },
  }),
  registerdomain(registrar, { domain, period, ...fields }) {
    const isFree = !registrar.domains.has(domain);
    if (!isFree || !registrar.debit(domain, 'registration', period)) return unknownObject;
    const details = registrar.add(domain, period, fields.registrant, fields.contact);
    details.NameServers = fields.nameservers;
    details.PrivacyProtectionStatus = String(fields.privacyProtection);
    details.LockStatus = String(fields.eppLock);
    return { body: { result: 'OK', data: freshDetails(details, 'active') } };
  },
  singlecheckavailability: (registrar, { domain }) => ({ body: registrar.availability(domain) }),
  bulkcheckavailability(registrar, { domains }) {
    const entries = domains.map((domain: string) => [domain, registrar.availability(domain)]);
    return { body: { status: 'success', availability: Object.fromEntries(entries) } };
  },
  transferdomain(registrar, { domain, authCode, period }) {
    const isRight = authCode === 'Right-Code-01';
    if (!isRight || !registrar.debit(domain, 'transfer', period)) return unknownObject;
    registrar.add(domain, period);
    return { body: { result: 'OK' } };
  },
  modifynameserver: owned((details, { nameservers }) => {
    details.NameServers = Object.values(nameservers);
    return ok({ NameServers: details.NameServers });
  }),
  addchildnameserver: owned((_details, { nameServer, ipAddress }) =>
    ok({ NameServer: nameServer, IPAdresses: [ipAddress] }),
  ),
  disabletheftlock: owned((details) => {
    details.LockStatus = 'false';
    return ok({ LockStatus: false });
  }),
  modifyprivacystatus: owned((details, { status }) => {
    details.PrivacyProtectionStatus = String(status);
    return { body: {} };
  }),
  tldlist: (_registrar, { count }) => ok(tlds.slice(0, count)),
  syncfromregistry: owned((details) => ok(freshDetails(details, 'clientTransferProhibited'))),
  resellerdetails(registrar) {
    const balanceIn = (currency: string, symbol: string) => ({
      balance: registrar.balance(currency),
      currency,
      symbol,
    });
    const balances = [balanceIn('USD', '$'), balanceIn('EUR', '€')];
    const account = { result: 'OK', id: 77, active: true, name: 'Independent Reseller' };
    return { body: { ...account, ...balances[0], balances } };
  },
  // Replies of the Account API are not shown.
  'POST /auth/logout'({ account }) {
    account.sessions -= 1;
    return { status: 204 };
  },
  'POST /carts'({ account }) {
    account.carts += 1;
    return { status: 201, body: { id: account.carts } };
  },
  'PATCH /hosting/group/{id}'({ account }, { id, ...fields }) {
    account.groups.set(id, fields);
    return { body: {} };
  },
  'DELETE /hosting/group'({ account }) {
    account.groups.clear();
    return { status: 204 };
  },
  'DELETE /logs'({ account }) {
    account.logs = 0;
    return { status: 204 };
  },
};

const sample = {
  FirstName: 'Grace',
  LastName: 'Hopper',
  Company: 'Navy',
  EMail: 'grace@example.org',
  AddressLine1: 'Street 1',
  City: 'Arlington',
  State: 'VA',
  ZipCode: '22201',
  Country: 'US',
  Phone: '2025550123',
  PhoneCountryCode: 1,
};
