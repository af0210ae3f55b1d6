import { z } from 'zod';
import { nothing, type Operation } from '../client/operation.ts';
import { offersByNameReply, offersReply } from './availability-shapes.ts';
import * as shapes from './shapes.ts';
import { contactsReply } from './shapes.ts';
import { tldRow, tldsReply } from './tld-shapes.ts';

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
  getcontacts: { effect: 'read', request: named, reply: contactsReply },
  getdetails: { effect: 'read', request: named, reply: shapes.detailsReply, cacheAs: 'domains' },
  getdomainlist: {
    effect: 'read',
    request: nothing,
    reply: shapes.domainsReply,
    rows: {
      at: ['data', 'Domains'],
      read: shapes.domainRow,
      stored: shapes.storedMembers,
      maxBytes: 256 * 1024 * 1024,
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
    reply: shapes.writtenDetailsReply,
  },
  singlecheckavailability: { effect: 'read', request: named, reply: offersReply },
  bulkcheckavailability: {
    effect: 'read',
    request: z.object({ domains: z.array(z.string()).min(1) }),
    reply: offersByNameReply,
    replyMap: 'availability',
    batch: { member: 'domains', extraMsPerItem },
  },
  transferdomain: {
    effect: 'write',
    invalidates: purchase,
    request: named.extend({ authCode: z.string(), period: z.int() }),
    reply: shapes.writtenDetailsReply,
  },
  modifynameserver: {
    effect: 'write',
    invalidates: details,
    /** `ns1`, `ns2`, … as many as there are. */
    request: named.extend({ nameservers: z.record(z.string(), z.string()) }),
    reply: shapes.nameServersReply,
  },
  addchildnameserver: {
    effect: 'write',
    invalidates: details,
    request: named.extend({ nameServer: z.string(), ipAddress: z.string() }),
    reply: shapes.childNameServerReply,
  },
  disabletheftlock: {
    effect: 'write',
    invalidates: details,
    request: named,
    reply: shapes.transferLockReply,
  },
  modifyprivacystatus: {
    effect: 'write',
    invalidates: details,
    request: named.extend({ status: z.boolean(), reason: z.string().optional() }),
    reply: shapes.privacyReply,
  },
  tldlist: {
    effect: 'read',
    /** Size of the first and only page; the upstream may refuse more than 1000. */
    request: z.object({ count: z.int().min(1) }),
    cacheAs: 'tlds',
    reply: tldsReply,
    rows: { at: ['data'], read: tldRow, stored: [], maxBytes: 16 * 1024 * 1024 },
  },
  syncfromregistry: {
    effect: 'write',
    /** A sync may change the contacts. */
    invalidates: [...details, 'getcontacts'],
    request: named,
    reply: shapes.registryReply,
  },
  resellerdetails: { effect: 'read', request: nothing, reply: shapes.resellerReply },
} satisfies Readonly<Record<string, Operation>>;
