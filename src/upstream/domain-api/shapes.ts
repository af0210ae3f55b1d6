import { canonicalHost, canonicalHosts, type DomainName } from '../../kernel/domain-name.ts';
import { domainState, failedTransfer } from '../../kernel/domain-state.ts';
import { Fault, type FieldResult, valueOr } from '../../kernel/faults.ts';
import { isNoDate, isNoDateText } from '../../kernel/instant.ts';
import {
  blankAsNull,
  domainName,
  field,
  fieldsOf,
  flag,
  instant,
  integer,
  isObject,
  isOk,
  keyValues,
  list,
  type Members,
  map,
  mapOf,
  noMembers,
  objectOf,
  optional,
  optionalText,
  orBlank,
  plainText,
  type Read,
  readableItems,
  readMoney,
  succeeded,
  text,
  upstreamId,
} from '../wire/read.ts';

/** `{ID}`; `[]`, `""`, null or absent without a contact. */
const contactReference = blankAsNull(mapOf(({ ID }) => upstreamId(ID)));

/** The four contacts of a domain, by their member on the wire. */
const contactsAs = <T>(read: Read<T>, label: string) =>
  fieldsOf({
    registrant: { wire: 'Registrant', read, label },
    administrative: { wire: 'Administrative', read, label },
    technical: { wire: 'Technical', read, label },
    billing: { wire: 'Billing', read, label },
  });

export const contactReferences = blankAsNull(mapOf(contactsAs(contactReference, 'a contact id')));

export type ContactRole = keyof NonNullable<ReturnType<typeof contactReferences>>;

const everyRole = <T>(value: T): Record<ContactRole, T> => ({
  registrant: value,
  administrative: value,
  technical: value,
  billing: value,
});

/** One field, because a number without its country code is a different number. */
const phone = blankAsNull(
  mapOf((members) => {
    const number = optionalText(members.Number);
    const countryCode = optionalText(members.CountryCode);
    if (number === undefined || countryCode === undefined) return undefined;
    return number === null ? null : { number, countryCode };
  }),
);

const address = blankAsNull(
  mapOf(
    fieldsOf({
      line1: { wire: 'Line1', read: optionalText },
      line2: { wire: 'Line2', read: optionalText },
      line3: { wire: 'Line3', read: optionalText },
      city: { wire: 'City', read: optionalText },
      state: { wire: 'State', read: optionalText },
      zipCode: { wire: 'ZipCode', read: optionalText },
      country: { wire: 'Country', read: optionalText },
    }),
  ),
);

const readNumbers = field(
  'Phone',
  blankAsNull(
    mapOf(fieldsOf({ phone: { wire: 'Phone', read: phone }, fax: { wire: 'Fax', read: phone } })),
  ),
);

const readContactFields = fieldsOf({
  upstreamId: { wire: 'ID', read: upstreamId },
  status: { wire: 'Status', read: optionalText },
  type: { wire: 'Type', read: optionalText },
  authCode: { wire: 'AuthCode', read: optionalText },
  firstName: { wire: 'FirstName', read: optionalText },
  lastName: { wire: 'LastName', read: optionalText },
  company: { wire: 'Company', read: optionalText },
  email: { wire: 'EMail', read: optionalText },
  address: { wire: 'Address', read: address },
  additional: { wire: 'Additional', read: blankAsNull(keyValues) },
});

function readContact(members: Members) {
  const numbers = readNumbers(members.Phone);
  const { phone: phoneNumber, fax } =
    numbers instanceof Error ? { phone: numbers, fax: numbers } : numbers;
  return { ...readContactFields(members), phone: phoneNumber, fax };
}

export type ContactDetails = ReturnType<typeof readContact>;

/** Whether there is no value in it, such as in an address whose parts are all null. */
const isEmpty = (value: unknown): boolean =>
  value === null ||
  (typeof value === 'object' && !(value instanceof Fault) && Object.values(value).every(isEmpty));

/** Null without a value: `Status` and `Type` alone describe no person. */
const contactOrNull: Read<ContactDetails | null> = blankAsNull((value) => {
  const members = map(value);
  const contact = members && readContact(members);
  return contact && isEmpty({ ...contact, status: null, type: null }) ? null : contact;
});

const readContacts = contactsAs(contactOrNull, 'a contact');

/** A role that the reply lacks is null. Null for a reply without any contacts. */
export const contactsReply = succeeded(({ data }) => {
  const members = isObject(data) ? blankAsNull(map)(data.contacts) : undefined;
  if (!members || Object.keys(members).length > 0) return members && readContacts(members);
  return null;
});

/** Null where the registry has set no date yet: `""`, null, absent, or a date before all registrations. */
const optionalInstant: Read<Date | null> = blankAsNull(
  optional((value) => {
    const date = instant(value);
    if (date) return isNoDate(date) ? null : date;
    return typeof value === 'string' && isNoDateText(value) ? null : undefined;
  }),
);

/** A reply after the expiry may have days below 0. */
const days: Read<number> = (value) => {
  const known = integer(value);
  return known && Math.max(known, 0);
};

const dates = blankAsNull(
  mapOf(
    fieldsOf({
      registeredAt: { wire: 'Start', read: optionalInstant, label: 'Dates.Start' },
      expiresAt: { wire: 'Expiration', read: optionalInstant, label: 'Dates.Expiration' },
      remainingDays: {
        wire: 'RemainingDays',
        label: 'Dates.RemainingDays',
        read: blankAsNull(optional(days)),
      },
    }),
  ),
);

const plainTexts = readableItems(plainText);

const hostList = list((value) => (typeof value === 'string' && canonicalHost(value)) || undefined);

/**
 * Hosts in canonical form. A list with a null, a `""` or another item that is no host is invalid as a whole: a change of one
 * host writes all others too.
 */
const hosts: Read<readonly string[]> = (value) => {
  const known = hostList(value);
  return known && canonicalHosts(known);
};

/** Null when the reply does not show them: absent, or `""`. */
const nameServers: Read<readonly string[] | null> = orBlank((value) =>
  value === undefined ? null : hosts(value),
);

/** One address as text, or a list; `""`, `[]`, null and absent mean none. */
const addresses: Read<readonly string[]> = blankAsNull((value) => {
  if (value === undefined || value === null) return [];
  return plainTexts(typeof value === 'string' ? [value] : value);
});

export interface ChildNameServer {
  readonly host: string;
  readonly addresses: readonly string[];
}

/** `{ns, ip}`, `{NameServer, IPAdresses}` as in the reply of `addchildnameserver`, or a host as text. */
const childNameServer: Read<ChildNameServer> = (value) => {
  const entry = typeof value === 'string' ? { ns: value } : map(value);
  if (!entry) return undefined;
  const { ns, NameServer, ip, IPAdresses, IPAddresses } = entry;
  const name = plainText(ns || NameServer);
  const known = addresses(ip || IPAdresses || IPAddresses);
  const host = name && canonicalHost(name);
  return host && known ? { host, addresses: known } : undefined;
};

const childEntries = readableItems(childNameServer);

/** Null, absent and `""` mean none. A host may have one entry for each of its addresses. */
const childNameServers: Read<readonly ChildNameServer[]> = blankAsNull((value) => {
  if (value === undefined || value === null) return [];
  const entries = childEntries(value);
  if (!entries || entries.length === 0) return entries;
  const byHost = Map.groupBy(entries, ({ host }) => host);
  return Array.from(byHost, ([host, same]) => ({
    host,
    addresses: [...new Set(same.flatMap((entry) => entry.addresses))],
  }));
});

const plainFields = {
  upstreamId: { wire: 'ID', read: upstreamId },
  authCode: { wire: 'AuthCode', read: optionalText },
  transferLocked: { wire: 'LockStatus', read: orBlank(flag) },
  privacyProtected: { wire: 'PrivacyProtectionStatus', read: orBlank(flag) },
  isChildNameServer: { wire: 'IsChildNameServer', read: orBlank(flag) },
  nameServers: { wire: 'NameServers', read: nameServers },
  childNameServers: { wire: 'ChildNameServers', read: childNameServers },
  additional: { wire: 'Additional', read: blankAsNull(keyValues) },
};

/** Fields from which several fields of the graph are derived. */
const compoundFields = {
  status: { wire: 'Status', read: orBlank(text) },
  dates: { wire: 'Dates', read: dates },
  contactIds: { wire: 'Contacts', read: contactReferences },
};

const readPlainFields = fieldsOf(plainFields);
const readCompoundFields = fieldsOf(compoundFields);

/** The members that may be cached: all but the auth code. */
export const storedMembers: readonly string[] = [
  'DomainName',
  ...Object.values({ ...plainFields, ...compoundFields }).map(({ wire }) => wire),
].filter((wire) => wire !== plainFields.authCode.wire);

function readDetails(members: Members) {
  const { status, dates: times, contactIds } = readCompoundFields(members);
  const { registeredAt, expiresAt, remainingDays } =
    times instanceof Error
      ? { registeredAt: times, expiresAt: times, remainingDays: times }
      : times;
  return {
    ...readPlainFields(members),
    /** Null when the reply has no valid name; such a row is skipped and counted as missing. */
    name: domainName(members.DomainName),
    status,
    state: domainState(valueOr(status, null) ?? ''),
    failedTransfer: failedTransfer(valueOr(status, null) ?? ''),
    registeredAt,
    expiresAt,
    // Days until no date.
    remainingDays: expiresAt === null && remainingDays === 0 ? null : remainingDays,
    contactIds:
      contactIds instanceof Error ? everyRole<FieldResult<number | null>>(contactIds) : contactIds,
  };
}

/**
 * The details object of four actions. Only its shape is common: a registration or a sync replies with 0 and `false` for
 * unknown values, so only `getdetails` and `getdomainlist` are reliable.
 */
const domainDetails = objectOf(readDetails);

/** The details of a domain in one reply, with or without a valid name. */
export type UnnamedDetails = ReturnType<typeof readDetails>;

/** The details of a domain in one reply. */
export type DomainDetails = Omit<UnnamedDetails, 'name'> & {
  readonly name: DomainName;
  /** When a row of `getdetails` was requested; a row of the list has the time of the list. */
  readonly asOf?: Date;
};

export const detailsReply = succeeded(({ data }) => domainDetails(data));

/** The registry's view of a domain. A list of null or `""` is not shown in it, rather than empty. */
export const registryReply = succeeded(({ data }) =>
  isObject(data) ? readDetails({ ...data, NameServers: data.NameServers || undefined }) : undefined,
);

const isNamed = (row: UnnamedDetails): row is DomainDetails => row.name !== null;

/** One row of `domains`; undefined without a valid name. */
export function domainRow(row: unknown): DomainDetails | undefined {
  const details = domainDetails(row);
  return details && isNamed(details) ? details : undefined;
}

/** The rows are decoded already. An account without domains replies `[]` for the object or null for the list. */
const listedDomains: Read<readonly DomainDetails[]> = (data) => {
  if (Array.isArray(data)) return data.length === 0 ? [] : undefined;
  const rows = isObject(data) ? data.Domains : undefined;
  if (rows === null) return [];
  return Array.isArray(rows) ? rows : undefined;
};

/** The count of the upstream, which may exceed the number of rows. */
const totalCount = field('TotalCount', integer);

export const domainsReply = succeeded(({ data, TotalCount }) => {
  const domains = listedDomains(data);
  return domains && { domains, totalCount: totalCount(TotalCount) };
});

const symbol = field('symbol', text);

/** Amount, currency and symbol. `TL` is read as `TRY`; the symbol is unchanged. */
const readBalance = (members: Members, what: string) => ({
  money: readMoney(members.balance, members.currency, what),
  symbol: symbol(members.symbol),
});

export type BalanceDetails = ReturnType<typeof readBalance>;

const readResellerFields = fieldsOf({
  upstreamId: { wire: 'id', read: upstreamId },
  active: { wire: 'active', read: flag },
  name: { wire: 'name', read: orBlank(text) },
  balances: { wire: 'balances', read: list(objectOf((one) => readBalance(one, 'a balance'))) },
});

const readReseller = (members: Members) => ({
  ...readResellerFields(members),
  balance: readBalance(members, 'balance'),
});

export type ResellerDetails = ReturnType<typeof readReseller>;

export const resellerReply = succeeded(readReseller);

// Replies of writes. After `OK` no field can fail the write: an invalid value is null, and `getdetails` has the truth.

const membersOf = (value: unknown) => map(value) ?? noMembers;

/** Null without details. A list, text, a name that is no domain name, or a status that is no text confirms nothing. */
export const writtenDetailsReply = succeeded(({ data }) => {
  const members = Array.isArray(data) ? undefined : map(data);
  if (!members || members === noMembers) return members && null;
  const { DomainName, Status } = members;
  const isNamed = optionalText(DomainName) !== null;
  if (isNamed && domainName(DomainName) === null) return undefined;
  return optionalText(Status) === undefined ? undefined : readDetails(members);
});

export const nameServersReply = succeeded(({ data }) => {
  const known = hosts(membersOf(data).NameServers);
  return known && known.length > 0 ? known : null;
});

export const childNameServerReply = succeeded(({ data }) => {
  const { NameServer, IPAdresses, IPAddresses } = membersOf(data);
  const host = plainText(NameServer);
  return {
    host: (host && canonicalHost(host)) || null,
    addresses: addresses(IPAdresses ?? IPAddresses) ?? [],
  };
});

export const transferLockReply = succeeded(({ data }) => ({
  locked: flag(membersOf(data).LockStatus) ?? null,
}));

/** `{}` is the specified reply, so `result` may be absent. */
export const privacyReply = mapOf(({ result, data }) =>
  result === undefined || isOk(result)
    ? { enabled: flag(membersOf(data).PrivacyProtectionStatus) ?? null }
    : undefined,
);
