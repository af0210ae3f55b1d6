import { z } from 'zod';
import { nothing, type Operation } from '../client/operation.ts';
import { offersByNameReply, offersReply } from './availability-shapes.ts';
import { parseBulkReply } from './bulk-reply-text.ts';
import {
  childNameServerReply,
  contactsReply,
  detailsReply,
  domainRow,
  domainsReply,
  nameServersReply,
  privacyReply,
  resellerReply,
  storedMembers,
  transferLockReply,
  writtenDetailsReply,
} from './shapes.ts';
import { tldsReply } from './tld-shapes.ts';

const named = z.object({ domain: z.string() });

/** A person in `registerdomain`: the members `contact` and `registrant`. */
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
  /** National number, digits only. */
  Phone: z.string(),
  PhoneCountryCode: z.int(),
});

export type ContactInputWire = z.input<typeof contactInput>;

/** Reads that return details of a domain. */
const details = ['getdetails', 'getdomainlist'] as const;
/** Reads that a purchase changes: also availability, contacts and the balance. */
const purchase = [...details, 'getcontacts', 'bulkcheckavailability', 'resellerdetails'] as const;

/** The upstream queries the registry name by name, so each name extends the deadline of a bulk call. */
const extraMsPerItem = 1_000;

/** The Domain API, one row per `action` (specification, "Domain API operations"). */
export const domainApi = {
  getcontacts: {
    effect: 'read',
    request: named,
    reply: contactsReply,
  },
  getdetails: {
    effect: 'read',
    request: named,
    reply: detailsReply,
    cacheAs: 'domains',
  },
  getdomainlist: {
    effect: 'read',
    request: nothing,
    reply: domainsReply,
    rows: {
      at: ['data', 'Domains'],
      read: domainRow,
      stored: storedMembers,
      mostBytes: 256 * 1024 * 1024,
    },
  },
  registerdomain: {
    effect: 'write',
    invalidates: purchase,
    request: z.object({
      domain: z.string(),
      period: z.int(),
      contact: contactInput,
      registrant: contactInput,
      nameservers: z.array(z.string()),
      privacyProtection: z.boolean(),
      eppLock: z.boolean(),
    }),
    reply: writtenDetailsReply,
  },
  singlecheckavailability: {
    effect: 'read',
    request: named,
    reply: offersReply,
  },
  bulkcheckavailability: {
    effect: 'read',
    request: z.object({ domains: z.array(z.string()).min(1) }),
    reply: offersByNameReply,
    parse: parseBulkReply,
    batch: { member: 'domains', extraMsPerItem },
  },
  transferdomain: {
    effect: 'write',
    invalidates: purchase,
    request: named.extend({ authCode: z.string(), period: z.int() }),
    reply: writtenDetailsReply,
  },
  modifynameserver: {
    effect: 'write',
    invalidates: details,
    /** `ns1`, `ns2`, … as many as there are. */
    request: named.extend({ nameservers: z.record(z.string(), z.string()) }),
    reply: nameServersReply,
  },
  addchildnameserver: {
    effect: 'write',
    invalidates: details,
    request: named.extend({ nameServer: z.string(), ipAddress: z.string() }),
    reply: childNameServerReply,
  },
  disabletheftlock: {
    effect: 'write',
    invalidates: details,
    request: named,
    reply: transferLockReply,
  },
  modifyprivacystatus: {
    effect: 'write',
    invalidates: details,
    request: named.extend({ status: z.boolean(), reason: z.string().optional() }),
    reply: privacyReply,
  },
  tldlist: {
    effect: 'read',
    /** Size of the first and only page; the upstream may refuse more than 1000. */
    request: z.object({ count: z.int().min(1) }),
    cacheAs: 'tlds',
    reply: tldsReply,
  },
  syncfromregistry: {
    effect: 'write',
    /** A sync may change the contacts. */
    invalidates: [...details, 'getcontacts'],
    request: named,
    reply: detailsReply,
  },
  resellerdetails: {
    effect: 'read',
    request: nothing,
    reply: resellerReply,
  },
} satisfies Readonly<Record<string, Operation>>;
