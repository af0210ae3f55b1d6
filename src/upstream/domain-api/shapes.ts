import type { DomainName } from '../../kernel/domain-name.ts';
import { type Leaf, leafOr } from '../../kernel/leaf.ts';
import {
  domainName,
  flag,
  instant,
  integer,
  keyValues,
  leaf,
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
  text,
  upstreamId,
} from '../wire.ts';
import { domainState, failedTransfer } from './domain-state.ts';

/** `{ID}`; `[]`, null or nothing where there is none. */
const contactReference = mapOf(({ ID }) => upstreamId(ID));

const contactId = leaf('a contact id', contactReference);

const contactReferences = mapOf((members) => ({
  registrant: contactId(members.Registrant),
  administrative: contactId(members.Administrative),
  technical: contactId(members.Technical),
  billing: contactId(members.Billing),
}));

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

const dateLeaves = {
  registeredAt: leaf('Dates.Start', optionalInstant),
  expiresAt: leaf('Dates.Expiration', optionalInstant),
  remainingDays: leaf('Dates.RemainingDays', optional(integer)),
};
const dates = mapOf((members) => ({
  registeredAt: dateLeaves.registeredAt(members.Start),
  expiresAt: dateLeaves.expiresAt(members.Expiration),
  remainingDays: dateLeaves.remainingDays(members.RemainingDays),
}));

/** Null for a domain that has none yet. */
const nameServers: Read<readonly string[]> = (value) =>
  value === null ? [] : list(plainText)(value);

/** One address as text or several; `""`, `[]`, null and nothing where there is none. */
const addresses: Read<readonly string[]> = (value) => {
  if (value === undefined || value === null) return [];
  if (typeof value === 'string') return value.trim() === '' ? [] : [value];
  return list(plainText)(value);
};

const childNameServer = objectOf(({ ns, ip }) => {
  const host = plainText(ns);
  const known = addresses(ip);
  return host === undefined || known === undefined ? undefined : { host, addresses: known };
});

/** `[]`, or `[{ns, ip}]`. */
const childNameServers: Read<readonly { host: string; addresses: readonly string[] }[]> = (
  value,
) => (value === undefined || value === null ? [] : list(childNameServer)(value));

const leaves = {
  upstreamId: leaf('ID', upstreamId),
  status: leaf('Status', plainText),
  authCode: leaf('AuthCode', optionalText),
  transferLocked: leaf('LockStatus', flag),
  privacyProtected: leaf('PrivacyProtectionStatus', flag),
  isChildNameServer: leaf('IsChildNameServer', flag),
  contactIds: leaf('Contacts', contactReferences),
  dates: leaf('Dates', dates),
  nameServers: leaf('NameServers', nameServers),
  additional: leaf('Additional', keyValues),
  childNameServers: leaf('ChildNameServers', childNameServers),
};

/** What `readDetails` asks for, without the auth code. */
export const keptMembers = [
  'ID',
  'Status',
  'DomainName',
  'LockStatus',
  'PrivacyProtectionStatus',
  'IsChildNameServer',
  'Contacts',
  'Dates',
  'NameServers',
  'Additional',
  'ChildNameServers',
] as const satisfies readonly string[];

function readDetails(members: Members) {
  const status = leaves.status(members.Status);
  const told = leaves.dates(members.Dates);
  const { registeredAt, expiresAt, remainingDays } =
    told instanceof Error ? { registeredAt: told, expiresAt: told, remainingDays: told } : told;
  const people = leaves.contactIds(members.Contacts);
  return {
    upstreamId: leaves.upstreamId(members.ID),
    status,
    state: domainState(leafOr(status, '')),
    failedTransfer: failedTransfer(leafOr(status, '')),
    /** Null when the service sent no usable name; such a row is left out and counted as missing. */
    name: domainName(members.DomainName),
    authCode: leaves.authCode(members.AuthCode),
    transferLocked: leaves.transferLocked(members.LockStatus),
    privacyProtected: leaves.privacyProtected(members.PrivacyProtectionStatus),
    isChildNameServer: leaves.isChildNameServer(members.IsChildNameServer),
    registeredAt,
    expiresAt,
    remainingDays,
    nameServers: leaves.nameServers(members.NameServers),
    childNameServers: leaves.childNameServers(members.ChildNameServers),
    additional: leaves.additional(members.Additional),
    contactIds: people instanceof Error ? everyRole<Leaf<number | null>>(people) : people,
  };
}

/**
 * The details object of four actions. Only its shape is common: the reply of a registration or a sync says 0 and
 * `false` where it does not know, so only `getdetails` and `getdomainlist` tell the truth.
 */
export const domainDetails = objectOf(readDetails);

/** What one call told of a domain, which may have forgotten its name. */
export type UnnamedDetails = ReturnType<typeof readDetails>;

/** A domain as one call told it; `name` is known. */
export type DomainDetails = Omit<UnnamedDetails, 'name'> & { readonly name: DomainName };

/** One leaf: a number without the country code that belongs to it would be another number. */
const phone = mapOf((members) => {
  const number = optionalText(members.Number);
  const countryCode = optionalText(members.CountryCode);
  if (number === undefined || countryCode === undefined) return undefined;
  return number === null ? null : { number, countryCode };
});

const line = (name: string) => leaf(name, optionalText);
const addressLines = {
  line1: line('Line1'),
  line2: line('Line2'),
  line3: line('Line3'),
  city: line('City'),
  state: line('State'),
  zipCode: line('ZipCode'),
  country: line('Country'),
};
const address = leaf(
  'Address',
  mapOf((members) => ({
    line1: addressLines.line1(members.Line1),
    line2: addressLines.line2(members.Line2),
    line3: addressLines.line3(members.Line3),
    city: addressLines.city(members.City),
    state: addressLines.state(members.State),
    zipCode: addressLines.zipCode(members.ZipCode),
    country: addressLines.country(members.Country),
  })),
);

const phoneLeaf = leaf('Phone', phone);
const faxLeaf = leaf('Fax', phone);
const numbers = leaf(
  'Phone',
  mapOf(({ Phone, Fax }) => ({ phone: phoneLeaf(Phone), fax: faxLeaf(Fax) })),
);

const contactLeaves = {
  upstreamId: leaf('ID', upstreamId),
  status: line('Status'),
  type: line('Type'),
  authCode: line('AuthCode'),
  firstName: line('FirstName'),
  lastName: line('LastName'),
  company: line('Company'),
  email: line('EMail'),
  additional: leaf('Additional', keyValues),
};

function readContact(members: Members) {
  const told = numbers(members.Phone);
  const { phone, fax } = told instanceof Error ? { phone: told, fax: told } : told;
  return {
    upstreamId: contactLeaves.upstreamId(members.ID),
    status: contactLeaves.status(members.Status),
    type: contactLeaves.type(members.Type),
    authCode: contactLeaves.authCode(members.AuthCode),
    firstName: contactLeaves.firstName(members.FirstName),
    lastName: contactLeaves.lastName(members.LastName),
    company: contactLeaves.company(members.Company),
    email: contactLeaves.email(members.EMail),
    phone,
    fax,
    address: address(members.Address),
    additional: contactLeaves.additional(members.Additional),
  };
}

export type ContactDetails = ReturnType<typeof readContact>;

const contactOrNull = leaf<ContactDetails | null>('a contact', (value) => {
  const members = map(value);
  return members === noMembers ? null : members && readContact(members);
});

export const contacts = mapOf(
  (members): Record<ContactRole, Leaf<ContactDetails | null>> => ({
    registrant: contactOrNull(members.Registrant),
    administrative: contactOrNull(members.Administrative),
    technical: contactOrNull(members.Technical),
    billing: contactOrNull(members.Billing),
  }),
);

const symbol = leaf('symbol', text);

/** Both balances of an account; `TL` is read as `TRY`, its symbol stays. */
const readBalance = (members: Members, what: string) => ({
  money: readMoney(members.balance, members.currency, what),
  symbol: symbol(members.symbol),
});

export type BalanceDetails = ReturnType<typeof readBalance>;

const resellerLeaves = {
  upstreamId: leaf('id', upstreamId),
  active: leaf('active', flag),
  name: leaf('name', text),
  balances: leaf('balances', list(objectOf((one) => readBalance(one, 'a balance')))),
};

const readReseller = (members: Members) => ({
  upstreamId: resellerLeaves.upstreamId(members.id),
  active: resellerLeaves.active(members.active),
  name: resellerLeaves.name(members.name),
  balance: readBalance(members, 'balance'),
  balances: resellerLeaves.balances(members.balances),
});

export type ResellerDetails = ReturnType<typeof readReseller>;

export const reseller = objectOf(readReseller);
