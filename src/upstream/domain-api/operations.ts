import { z } from 'zod';
import { nothing, operation } from '../operation.ts';
import { anything, flag, integer, leaf, map, ok } from '../wire.ts';
import { bulkAvailability, offers } from './availability-shapes.ts';
import { readErrorBody } from './error-body.ts';
import { contacts, type DomainDetails, domainDetails, reseller } from './shapes.ts';
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

/** An account without domains may answer `[]` for the object and null for the list. */
const listData = z.union([
  z.array(z.never()).transform(() => ({ Domains: [] })),
  z.object({ Domains: z.array(z.unknown()).nullable() }),
]);

/** Under a write's `OK` nothing may fail: what cannot be read is null, and the truth is read by `getdetails` anyway. */
const detailsOrNull = anything.transform((value) => domainDetails.safeParse(value).data ?? null);

const detailsReply = z.object({ result: ok, data: domainDetails }).transform(({ data }) => data);

/** The refusal of one name in a bulk reply; asking changes nothing. */
const refusedName = (entry: unknown) =>
  readErrorBody(entry, 'bulkcheckavailability')?.with({ executed: 'NO' }) ?? null;

/** A registry is asked name after name, so a bulk call may take this much longer for each. */
const perNameMs = 1_000;

/** The Domain API, one row per `action` (specification, "Domain API operations"). */
export const domainApi = {
  getcontacts: operation({
    effect: 'read',
    request: named,
    reply: z
      .object({ result: ok, data: z.object({ contacts }) })
      .transform(({ data }) => data.contacts),
  }),
  getdetails: operation({ effect: 'read', request: named, reply: detailsReply }),
  getdomainlist: operation({
    effect: 'read',
    request: nothing,
    reply: z
      .object({
        result: ok,
        data: listData,
        TotalCount: leaf('TotalCount', integer),
      })
      .transform(({ data, TotalCount }) => ({
        domains: (data.Domains ?? [])
          .map((row) => domainDetails.safeParse(row).data)
          .filter((row) => row !== undefined)
          .filter(isNamed<z.output<typeof domainDetails>, DomainDetails>),
        /** What the service counts, which may exceed what it sent. */
        totalCount: TotalCount,
      })),
  }),
  registerdomain: operation({
    effect: 'write',
    request: z.object({
      domain: z.string(),
      period: z.int(),
      contact: contactInput,
      registrant: contactInput,
      nameservers: z.array(z.string()),
      privacyProtection: z.boolean(),
      eppLock: z.boolean(),
    }),
    reply: z.object({ result: ok, data: detailsOrNull }).transform(({ data }) => data),
  }),
  singlecheckavailability: operation({ effect: 'read', request: named, reply: offers }),
  bulkcheckavailability: operation({
    effect: 'read',
    request: z.object({ domains: z.array(z.string()).min(1) }),
    reply: bulkAvailability(refusedName),
    extraMs: ({ domains }) => domains.length * perNameMs,
    batch: ({ domains }) => domains.length,
  }),
  transferdomain: operation({
    effect: 'write',
    request: named.extend({ authCode: z.string(), period: z.int() }),
    reply: z.object({ result: ok, data: detailsOrNull }).transform(({ data }) => data),
  }),
  modifynameserver: operation({
    effect: 'write',
    /** `ns1`, `ns2`, … as many as there are. */
    request: named.extend({ nameservers: z.record(z.string(), z.string()) }),
    reply: z
      .object({
        result: ok,
        data: map
          .catch({})
          .pipe(z.object({ NameServers: z.array(z.string()).nullish().catch(null) })),
      })
      .transform(({ data }) => data.NameServers ?? null),
  }),
  addchildnameserver: operation({
    effect: 'write',
    request: named.extend({ nameServer: z.string(), ipAddress: z.string() }),
    reply: z
      .object({
        result: ok,
        data: map.catch({}).pipe(
          z.object({
            NameServer: z.string().nullish().catch(null),
            IPAdresses: z.array(z.string()).nullish().catch(null),
          }),
        ),
      })
      .transform(({ data }) => ({
        host: data.NameServer ?? null,
        addresses: data.IPAdresses ?? [],
      })),
  }),
  disabletheftlock: operation({
    effect: 'write',
    request: named,
    reply: z
      .object({
        result: ok,
        data: map.catch({}).pipe(z.object({ LockStatus: flag.nullish().catch(null) })),
      })
      .transform(({ data }) => ({ locked: data.LockStatus ?? null })),
  }),
  modifyprivacystatus: operation({
    effect: 'write',
    request: named.extend({ status: z.boolean(), reason: z.string().optional() }),
    /** `{}` is the specified reply, so `result` is not asked for. */
    reply: map
      .pipe(
        z.object({
          result: ok.optional(),
          data: map
            .catch({})
            .pipe(z.object({ PrivacyProtectionStatus: flag.nullish().catch(null) })),
        }),
      )
      .transform(({ data }) => ({ enabled: data.PrivacyProtectionStatus ?? null })),
  }),
  tldlist: operation({
    effect: 'read',
    /** Size of the first and only page; more than 1000 may be refused. */
    request: z.object({ count: z.int().min(1) }),
    reply: z.object({ result: ok, data: z.array(z.unknown()) }).transform(({ data }) =>
      data
        .map((row) => tldEntry.safeParse(row).data)
        .filter((row) => row !== undefined)
        .filter(isNamed<z.output<typeof tldEntry>, TldDetails>),
    ),
  }),
  syncfromregistry: operation({ effect: 'write', request: named, reply: detailsReply }),
  resellerdetails: operation({
    effect: 'read',
    request: nothing,
    reply: z.intersection(z.object({ result: ok }), reseller),
  }),
};
