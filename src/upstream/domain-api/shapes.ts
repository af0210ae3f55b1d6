import type { DomainName } from '../../kernel/domain-name.ts';
import { domainState, failedTransfer } from '../../kernel/domain-state.ts';
import { type FieldResult, valueOr } from '../../kernel/field-result.ts';
import {
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
  plainText,
  type Read,
  readMoney,
  succeeded,
  text,
  upstreamId,
} from '../wire/read.ts';

/** `{ID}`; `[]`, null or absent without a contact. */
const contactReference = mapOf(({ ID }) => upstreamId(ID));

/** The four contacts of a domain, by their member on the wire. */
const contactsAs = <T>(read: Read<T>, label: string) =>
  fieldsOf({
    registrant: { wire: 'Registrant', read, label },
    administrative: { wire: 'Administrative', read, label },
    technical: { wire: 'Technical', read, label },
    billing: { wire: 'Billing', read, label },
  });

const contactReferences = mapOf(contactsAs(contactReference, 'a contact id'));

export type ContactRole = keyof NonNullable<ReturnType<typeof contactReferences>>;

const everyRole = <T>(value: T): Record<ContactRole, T> => ({
  registrant: value,
  administrative: value,
  technical: value,
  billing: value,
});

/** `""` where the registry has set no date yet. */
const optionalInstant: Read<Date | null> = (value) =>
  value === '' ? null : optional(instant)(value);

const dates = mapOf(
  fieldsOf({
    registeredAt: { wire: 'Start', read: optionalInstant, label: 'Dates.Start' },
    expiresAt: { wire: 'Expiration', read: optionalInstant, label: 'Dates.Expiration' },
    remainingDays: { wire: 'RemainingDays', read: optional(integer), label: 'Dates.RemainingDays' },
  }),
);

/** Null for a domain without name servers. */
const nameServers: Read<readonly string[]> = (value) =>
  value === null ? [] : list(plainText)(value);

/** One address as text, or a list; `""`, `[]`, null and absent mean none. */
const addresses: Read<readonly string[]> = (value) => {
  if (value === undefined || value === null) return [];
  if (typeof value === 'string') return value.trim() === '' ? [] : [value];
  return list(plainText)(value);
};

export interface ChildNameServer {
  readonly host: string;
  readonly addresses: readonly string[];
}

const childNameServer = objectOf(({ ns, ip }): ChildNameServer | undefined => {
  const host = plainText(ns);
  const known = addresses(ip);
  return host === undefined || known === undefined ? undefined : { host, addresses: known };
});

/** `[]`, or `[{ns, ip}]`. */
const childNameServers: Read<readonly ChildNameServer[]> = (value) =>
  value === undefined || value === null ? [] : list(childNameServer)(value);

const plainFields = {
  upstreamId: { wire: 'ID', read: upstreamId },
  authCode: { wire: 'AuthCode', read: optionalText },
  transferLocked: { wire: 'LockStatus', read: flag },
  privacyProtected: { wire: 'PrivacyProtectionStatus', read: flag },
  isChildNameServer: { wire: 'IsChildNameServer', read: flag },
  nameServers: { wire: 'NameServers', read: nameServers },
  childNameServers: { wire: 'ChildNameServers', read: childNameServers },
  additional: { wire: 'Additional', read: keyValues },
};

/** Fields from which several fields of the graph are derived. */
const compoundFields = {
  status: { wire: 'Status', read: plainText },
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
    state: domainState(valueOr(status, '')),
    failedTransfer: failedTransfer(valueOr(status, '')),
    registeredAt,
    expiresAt,
    remainingDays,
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

/** One field, because a number without its country code is a different number. */
const phone = mapOf((members) => {
  const number = optionalText(members.Number);
  const countryCode = optionalText(members.CountryCode);
  if (number === undefined || countryCode === undefined) return undefined;
  return number === null ? null : { number, countryCode };
});

const address = mapOf(
  fieldsOf({
    line1: { wire: 'Line1', read: optionalText },
    line2: { wire: 'Line2', read: optionalText },
    line3: { wire: 'Line3', read: optionalText },
    city: { wire: 'City', read: optionalText },
    state: { wire: 'State', read: optionalText },
    zipCode: { wire: 'ZipCode', read: optionalText },
    country: { wire: 'Country', read: optionalText },
  }),
);

const readNumbers = field(
  'Phone',
  mapOf(fieldsOf({ phone: { wire: 'Phone', read: phone }, fax: { wire: 'Fax', read: phone } })),
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
  additional: { wire: 'Additional', read: keyValues },
});

function readContact(members: Members) {
  const numbers = readNumbers(members.Phone);
  const { phone: phoneNumber, fax } =
    numbers instanceof Error ? { phone: numbers, fax: numbers } : numbers;
  return { ...readContactFields(members), phone: phoneNumber, fax };
}

export type ContactDetails = ReturnType<typeof readContact>;

const contactOrNull: Read<ContactDetails | null> = (value) => {
  const members = map(value);
  return members === noMembers ? null : members && readContact(members);
};

const contacts = mapOf(contactsAs(contactOrNull, 'a contact'));

export const contactsReply = succeeded(({ data }) =>
  isObject(data) ? contacts(data.contacts) : undefined,
);

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
  name: { wire: 'name', read: text },
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

/** Null without details. A list, text, or a name that is no domain name may belong to another reply, so it confirms nothing. */
export const writtenDetailsReply = succeeded(({ data }) => {
  const members = map(data);
  if (!members || members === noMembers) return members && null;
  const { DomainName } = members;
  const isNamed = optionalText(DomainName) !== null;
  return isNamed && domainName(DomainName) === null ? undefined : readDetails(members);
});

export const nameServersReply = succeeded(
  ({ data }) => list(plainText)(membersOf(data).NameServers) ?? null,
);

export const childNameServerReply = succeeded(({ data }) => {
  const { NameServer, IPAdresses } = membersOf(data);
  return {
    host: plainText(NameServer) ?? null,
    addresses: list(plainText)(IPAdresses) ?? [],
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
