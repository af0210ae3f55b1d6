import { z } from 'zod';
import type { DomainName } from '../../kernel/domain-name.ts';
import { type Leaf, leafOr } from '../../kernel/leaf.ts';
import {
  anything,
  domainName,
  flag,
  instant,
  integer,
  keyValues,
  leaf,
  map,
  optionalText,
  readMoney,
  text,
  upstreamId,
} from '../wire.ts';
import { domainState } from './domain-state.ts';

const contactReference = z
  .union([z.object({ ID: upstreamId }), z.array(z.unknown()).length(0), z.null(), z.undefined()])
  .transform((value) => (value && 'ID' in value ? value.ID : null));

/** Null for a domain that has none yet. */
const nameServers = z
  .array(z.string())
  .nullable()
  .transform((hosts): readonly string[] => hosts ?? []);

const contactReferences = map.pipe(
  z.object({
    Registrant: leaf('a contact id', contactReference),
    Administrative: leaf('a contact id', contactReference),
    Technical: leaf('a contact id', contactReference),
    Billing: leaf('a contact id', contactReference),
  }),
);

/** `""` where the registry has set no date yet. */
const optionalInstant = z.union([z.literal('').transform(() => null), instant]).nullish();

const dates = map.pipe(
  z.object({
    Start: leaf('Dates.Start', optionalInstant),
    Expiration: leaf('Dates.Expiration', optionalInstant),
    RemainingDays: leaf('Dates.RemainingDays', integer.nullish()),
  }),
);

/** `[]`, or `[{ns, ip}]` with one address as text or none as `[]`. */
const childNameServers = z
  .array(
    z.object({
      ns: z.string(),
      ip: z
        .union([
          z.string().transform((one) => (one.trim() === '' ? [] : [one])),
          z.array(z.string()),
        ])
        .nullish()
        .transform((addresses) => addresses ?? []),
    }),
  )
  .nullish()
  .transform((hosts) => (hosts ?? []).map(({ ns, ip }) => ({ host: ns, addresses: ip })));

const orNull = <T>(value: T): NonNullable<T> | null => value ?? null;

/**
 * The details object of four actions. Only its shape is common: the reply of a registration or a sync says 0 and
 * `false` where it does not know, so only `getdetails` and `getdomainlist` tell the truth.
 */
export const domainDetails = z
  .object({
    ID: leaf('ID', upstreamId),
    Status: leaf('Status', text),
    DomainName: domainName,
    AuthCode: leaf('AuthCode', optionalText),
    LockStatus: leaf('LockStatus', flag),
    PrivacyProtectionStatus: leaf('PrivacyProtectionStatus', flag),
    IsChildNameServer: leaf('IsChildNameServer', flag),
    Contacts: leaf('Contacts', contactReferences),
    Dates: leaf('Dates', dates),
    NameServers: leaf('NameServers', nameServers),
    Additional: leaf('Additional', keyValues),
    ChildNameServers: leaf('ChildNameServers', childNameServers),
  })
  .transform((wire) => {
    const when = <Key extends keyof z.output<typeof dates>>(key: Key) =>
      wire.Dates instanceof Error ? wire.Dates : orNull(wire.Dates[key]);
    const contact = (role: keyof z.output<typeof contactReferences>) =>
      wire.Contacts instanceof Error ? wire.Contacts : wire.Contacts[role];
    return {
      upstreamId: wire.ID,
      status: wire.Status,
      state: domainState(leafOr(wire.Status, '')),
      /** Null when the service sent no usable name; such a row is left out and counted as missing. */
      name: wire.DomainName,
      authCode: wire.AuthCode,
      transferLocked: wire.LockStatus,
      privacyProtected: wire.PrivacyProtectionStatus,
      isChildNameServer: wire.IsChildNameServer,
      registeredAt: when('Start'),
      expiresAt: when('Expiration'),
      remainingDays: when('RemainingDays'),
      nameServers: wire.NameServers,
      childNameServers: wire.ChildNameServers,
      additional: wire.Additional,
      contactIds: {
        registrant: contact('Registrant'),
        administrative: contact('Administrative'),
        technical: contact('Technical'),
        billing: contact('Billing'),
      },
    };
  });

/** A domain as one call told it; `name` is known. */
export type DomainDetails = Omit<z.output<typeof domainDetails>, 'name'> & {
  readonly name: DomainName;
};

export type ContactRole = keyof z.output<typeof domainDetails>['contactIds'];

/** One leaf: a number without the country code that belongs to it would be another number. */
const phone = map
  .pipe(z.object({ Number: optionalText, CountryCode: optionalText }))
  .transform((wire) =>
    wire.Number ? { number: wire.Number, countryCode: wire.CountryCode } : null,
  );

const optional = (what: string) => leaf(what, optionalText);

const contact = z
  .object({
    ID: leaf('ID', upstreamId),
    Status: optional('Status'),
    Additional: leaf('Additional', keyValues),
    Address: leaf(
      'Address',
      map.pipe(
        z.object({
          Line1: optional('Line1'),
          Line2: optional('Line2'),
          Line3: optional('Line3'),
          City: optional('City'),
          State: optional('State'),
          ZipCode: optional('ZipCode'),
          Country: optional('Country'),
        }),
      ),
    ),
    Phone: leaf(
      'Phone',
      map.pipe(z.object({ Phone: leaf('Phone', phone), Fax: leaf('Fax', phone) })),
    ),
    AuthCode: optional('AuthCode'),
    FirstName: optional('FirstName'),
    LastName: optional('LastName'),
    Company: optional('Company'),
    EMail: optional('EMail'),
    Type: optional('Type'),
  })
  .transform((wire) => ({
    upstreamId: wire.ID,
    status: wire.Status,
    type: wire.Type,
    authCode: wire.AuthCode,
    firstName: wire.FirstName,
    lastName: wire.LastName,
    company: wire.Company,
    email: wire.EMail,
    phone: wire.Phone instanceof Error ? wire.Phone : wire.Phone.Phone,
    fax: wire.Phone instanceof Error ? wire.Phone : wire.Phone.Fax,
    address:
      wire.Address instanceof Error
        ? wire.Address
        : {
            line1: wire.Address.Line1,
            line2: wire.Address.Line2,
            line3: wire.Address.Line3,
            city: wire.Address.City,
            state: wire.Address.State,
            zipCode: wire.Address.ZipCode,
            country: wire.Address.Country,
          },
    additional: wire.Additional,
  }));

export type ContactDetails = z.output<typeof contact>;

const contactOrNull = leaf(
  'a contact',
  z
    .union([contact, z.array(z.unknown()).length(0), z.null(), z.undefined()])
    .transform((value) => (value && !Array.isArray(value) ? value : null)),
);

export const contacts = map
  .pipe(
    z.object({
      Registrant: contactOrNull,
      Administrative: contactOrNull,
      Technical: contactOrNull,
      Billing: contactOrNull,
    }),
  )
  .transform(
    (wire): Record<ContactRole, Leaf<ContactDetails | null>> => ({
      registrant: wire.Registrant,
      administrative: wire.Administrative,
      technical: wire.Technical,
      billing: wire.Billing,
    }),
  );

/** Both balances of an account; `TL` is read as `TRY`, its symbol stays. */
const balance = z
  .object({ balance: anything, currency: anything, symbol: leaf('symbol', text) })
  .transform((wire) => ({
    money: readMoney(wire.balance, wire.currency, 'a balance'),
    symbol: wire.symbol,
  }));

export const reseller = z
  .object({
    id: leaf('id', upstreamId),
    active: leaf('active', flag),
    name: leaf('name', text),
    balance: anything,
    currency: anything,
    symbol: leaf('symbol', text),
    balances: leaf('balances', z.array(balance)),
  })
  .transform((wire) => ({
    upstreamId: wire.id,
    active: wire.active,
    name: wire.name,
    balance: {
      money: readMoney(wire.balance, wire.currency, 'balance'),
      symbol: wire.symbol,
    },
    balances: wire.balances,
  }));

export type ResellerDetails = z.output<typeof reseller>;
export type BalanceDetails = ResellerDetails['balance'];
