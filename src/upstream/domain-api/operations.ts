import { z } from 'zod';
import { nothing, operation } from '../operation.ts';
import {
  flag,
  integer,
  isObject,
  isOk,
  leaf,
  list,
  map,
  mapOf,
  noMembers,
  plainText,
  type Read,
  succeeded,
} from '../wire.ts';
import { bulkAvailability, offers } from './availability-shapes.ts';
import { readErrorBody } from './error-body.ts';
import {
  contacts,
  type DomainDetails,
  domainDetails,
  keptMembers,
  reseller,
  type UnnamedDetails,
} from './shapes.ts';
import { type TldDetails, tldEntry } from './tld-shapes.ts';

const named = z.object({ domain: z.string() });

/** As `registerdomain` takes a person: two members of this shape, `contact` and `registrant`. */
const contactInput = z.object({
  FirstName: z.string(),
  LastName: z.string(),
  Company: z.string(),
  EMail: z.string(),
  AddressLine1: z.string(),
  AddressLine2: z.string().optional(),
  City: z.string(),
  State: z.string(),
  ZipCode: z.string(),
  /** ISO 3166-1 alpha-2. */
  Country: z.string(),
  /** National number, digits alone. */
  Phone: z.string(),
  PhoneCountryCode: z.int(),
});

export type ContactInputWire = z.input<typeof contactInput>;

const isNamed = <Row extends { readonly name: string | null }, Named extends Row>(
  row: Row,
): row is Named => row.name !== null;

/** Its rows were read on the way. An account without domains may answer `[]` for the object and null for the list. */
const listedDomains: Read<readonly DomainDetails[]> = (data) => {
  if (Array.isArray(data)) return data.length === 0 ? [] : undefined;
  const domains = isObject(data) ? data.Domains : undefined;
  if (domains === null) return [];
  return Array.isArray(domains) ? domains : undefined;
};

/** What the service counts, which may exceed what it sent. */
const totalCount = leaf('TotalCount', integer);

function readDomain(row: unknown): DomainDetails | undefined {
  const details = domainDetails(row);
  return details && isNamed<UnnamedDetails, DomainDetails>(details) ? details : undefined;
}

/** Under a write's `OK` nothing may fail: what cannot be read is null, and the truth is read by `getdetails` anyway. */
const said = (value: unknown) => map(value) ?? noMembers;
const detailsIfRead = succeeded(({ data }) => domainDetails(data) ?? null);

const detailsReply = succeeded(({ data }) => domainDetails(data));

/** The refusal of one name in a bulk reply; asking changes nothing. */
const refusedName = (entry: unknown) =>
  readErrorBody(entry, 'bulkcheckavailability')?.with({ executed: 'NO' }) ?? null;

/** What tells of a domain of the account. */
const details = ['getdetails', 'getdomainlist'] as const;
/** What a purchase changes besides: whether the name is free, its people and the balance. */
const purchase = [...details, 'getcontacts', 'bulkcheckavailability', 'resellerdetails'] as const;

/** A registry is asked name after name, so a bulk call may take this much longer for each. */
const perNameMs = 1_000;

/** The Domain API, one row per `action` (specification, "Domain API operations"). */
export const domainApi = {
  getcontacts: operation({
    effect: 'read',
    request: named,
    reply: succeeded(({ data }) => (isObject(data) ? contacts(data.contacts) : undefined)),
  }),
  getdetails: operation({ effect: 'read', request: named, reply: detailsReply, keep: 'domains' }),
  getdomainlist: operation({
    effect: 'read',
    request: nothing,
    reply: succeeded(({ data, TotalCount }) => {
      const domains = listedDomains(data);
      return domains && { domains, totalCount: totalCount(TotalCount) };
    }),
    rows: {
      at: ['data', 'Domains'],
      read: readDomain,
      kept: keptMembers,
      mostBytes: 256 * 1024 * 1024,
    },
  }),
  registerdomain: operation({
    effect: 'write',
    clears: purchase,
    request: z.object({
      domain: z.string(),
      period: z.int(),
      contact: contactInput,
      registrant: contactInput,
      nameservers: z.array(z.string()),
      privacyProtection: z.boolean(),
      eppLock: z.boolean(),
    }),
    reply: detailsIfRead,
  }),
  singlecheckavailability: operation({
    effect: 'read',
    request: named,
    reply: offers,
    keep: 'availability',
  }),
  bulkcheckavailability: operation({
    effect: 'read',
    request: z.object({ domains: z.array(z.string()).min(1) }),
    reply: bulkAvailability(refusedName),
    entriesAt: 'availability',
    extraMs: ({ domains }) => domains.length * perNameMs,
    batch: ({ domains }) => domains.length,
    keep: 'availability',
  }),
  transferdomain: operation({
    effect: 'write',
    clears: purchase,
    request: named.extend({ authCode: z.string(), period: z.int() }),
    reply: detailsIfRead,
  }),
  modifynameserver: operation({
    effect: 'write',
    clears: details,
    /** `ns1`, `ns2`, … as many as there are. */
    request: named.extend({ nameservers: z.record(z.string(), z.string()) }),
    reply: succeeded(({ data }) => list(plainText)(said(data).NameServers) ?? null),
  }),
  addchildnameserver: operation({
    effect: 'write',
    clears: details,
    request: named.extend({ nameServer: z.string(), ipAddress: z.string() }),
    reply: succeeded(({ data }) => {
      const { NameServer, IPAdresses } = said(data);
      return {
        host: plainText(NameServer) ?? null,
        addresses: list(plainText)(IPAdresses) ?? [],
      };
    }),
  }),
  disabletheftlock: operation({
    effect: 'write',
    clears: details,
    request: named,
    reply: succeeded(({ data }) => ({ locked: flag(said(data).LockStatus) ?? null })),
  }),
  modifyprivacystatus: operation({
    effect: 'write',
    clears: details,
    request: named.extend({ status: z.boolean(), reason: z.string().optional() }),
    /** `{}` is the specified reply, so `result` is not asked for. */
    reply: mapOf(({ result, data }) =>
      result === undefined || isOk(result)
        ? { enabled: flag(said(data).PrivacyProtectionStatus) ?? null }
        : undefined,
    ),
  }),
  tldlist: operation({
    effect: 'read',
    /** Size of the first and only page; more than 1000 may be refused. */
    request: z.object({ count: z.int().min(1) }),
    keep: 'tlds',
    reply: succeeded(({ data }) => {
      if (!Array.isArray(data)) return undefined;
      const tlds = data
        .map(tldEntry)
        .filter((row) => row !== undefined)
        .filter(isNamed<NonNullable<ReturnType<typeof tldEntry>>, TldDetails>);
      /** `rowCount` also counts the rows that name no TLD, which `tlds` leaves out. */
      return { tlds, rowCount: data.length };
    }),
  }),
  syncfromregistry: operation({
    effect: 'write',
    /** It may bring other people along. */
    clears: [...details, 'getcontacts'],
    request: named,
    reply: detailsReply,
  }),
  resellerdetails: operation({
    effect: 'read',
    request: nothing,
    reply: succeeded(reseller),
  }),
};
