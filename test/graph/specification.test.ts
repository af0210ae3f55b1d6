import {
  type GraphQLNamedType,
  type GraphQLType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import { schema } from '../../src/app/graph.ts';

// Each field of the registrar's specification, and its place in the graph. Text in brackets is the reason of a field without one.

type Table = Readonly<Record<string, string | readonly string[]>>;

const prefixed = (prefix: string, table: Table): Table =>
  Object.fromEntries(
    Object.entries(table).map(([field, places]) => [
      field,
      [places].flat().map((place) => (place.startsWith('(') ? place : `${prefix}.${place}`)),
    ]),
  );

const details: Table = {
  ID: 'upstreamId',
  Status: ['status', 'state'],
  DomainName: ['name', 'unicodeName'],
  AuthCode: 'authCode',
  LockStatus: 'transferLocked',
  PrivacyProtectionStatus: 'privacyProtected',
  IsChildNameServer: 'isChildNameServer',
  'Contacts.Billing.ID': 'contacts.billing.upstreamId',
  'Contacts.Technical.ID': 'contacts.technical.upstreamId',
  'Contacts.Administrative.ID': 'contacts.administrative.upstreamId',
  'Contacts.Registrant.ID': 'contacts.registrant.upstreamId',
  'Dates.Start': 'registeredAt',
  'Dates.Expiration': 'expiresAt',
  'Dates.RemainingDays': 'remainingDays',
  NameServers: 'nameServers',
  Additional: ['additional.key', 'additional.value'],
  ChildNameServers: ['childNameServers.name', 'childNameServers.addresses'],
};

const contact: Table = {
  ID: 'upstreamId',
  Status: 'status',
  Additional: ['additional.key', 'additional.value'],
  'Address.Line1': 'address.line1',
  'Address.Line2': 'address.line2',
  'Address.Line3': 'address.line3',
  'Address.State': 'address.state',
  'Address.City': 'address.city',
  'Address.Country': 'address.country',
  'Address.ZipCode': 'address.zipCode',
  'Phone.Phone.Number': 'phone.number',
  'Phone.Phone.CountryCode': 'phone.countryCode',
  'Phone.Fax.Number': 'fax.number',
  'Phone.Fax.CountryCode': 'fax.countryCode',
  AuthCode: 'authCode',
  FirstName: 'firstName',
  LastName: 'lastName',
  Company: 'company',
  EMail: 'email',
  Type: 'type',
};

const contactInput: Table = {
  FirstName: 'firstName',
  LastName: 'lastName',
  Company: 'company',
  EMail: 'email',
  AddressLine1: 'address.line1',
  AddressLine2: 'address.line2',
  City: 'address.city',
  State: 'address.state',
  ZipCode: 'address.zipCode',
  Country: 'address.country',
  Phone: 'phone',
  PhoneCountryCode: 'phone',
};

const pricing = ['BACKORDER', 'REFUND', 'RESTORE', 'TRANSFER', 'RENEWAL', 'REGISTRATION'];

const tables: Readonly<Record<string, Table>> = {
  'every request': { username: '(a setting)', password: '(a setting)' },
  'every response': { result: '(without OK it is an error)' },
  'a failure': {
    'error.Code': 'UserError.upstreamCode',
    'error.Message': 'UserError.upstreamMessage',
    'error.Details': 'UserError.upstreamMessage',
  },
  'domain details': prefixed('Domain', details),
  'domain details of syncfromregistry': prefixed('SyncDomainPayload.domain', details),
  'domain details of registerdomain': prefixed('PurchasePayload.domain', details),
  'a contact': prefixed('Contact', contact),
  'contacts of getcontacts': {
    Administrative: 'Domain.contacts.administrative',
    Billing: 'Domain.contacts.billing',
    Registrant: 'Domain.contacts.registrant',
    Technical: 'Domain.contacts.technical',
  },
  'the contact of registerdomain': prefixed('RegisterDomainInput.contact.fields', contactInput),
  'the registrant of registerdomain': prefixed(
    'RegisterDomainInput.registrant.fields',
    contactInput,
  ),
  registerdomain: {
    domain: 'RegisterDomainInput.domain',
    period: 'RegisterDomainInput.period',
    nameservers: 'RegisterDomainInput.nameServers',
    privacyProtection: 'RegisterDomainInput.privacyProtected',
    eppLock: 'RegisterDomainInput.transferLocked',
  },
  transferdomain: {
    domain: 'TransferDomainInput.domain',
    authCode: 'TransferDomainInput.authCode',
    period: 'TransferDomainInput.period',
  },
  getdomainlist: {
    'data.Domains': ['DomainConnection.nodes', 'DomainConnection.edges.node'],
    TotalCount: 'DomainConnection.coverage.listed',
  },
  'availability entry': {
    TLD: ['DomainAvailability.name', 'DomainAvailability.tld'],
    DomainName: 'DomainAvailability.name',
    Status: ['DomainAvailability.status', 'DomainAvailability.state'],
    Command: 'DomainAvailability.command',
    Period: 'DomainAvailability.period',
    IsFee: 'DomainAvailability.premium',
    Price: 'DomainAvailability.price.amount',
    Currency: 'DomainAvailability.price.currency',
    Reason: 'DomainAvailability.reason',
  },
  bulkcheckavailability: { status: '(without success it is an error)' },
  'TLD entry': prefixed('Tld', {
    id: 'upstreamId',
    status: 'status',
    tld: 'name',
    minchar: 'minLength',
    maxchar: 'maxLength',
    minperiod: 'minPeriod',
    maxperiod: 'maxPeriod',
    'pricing by operation': 'prices.operation',
    'pricing by period': 'prices.period',
    'price in pricing': 'prices.price.amount',
    currencies: 'prices.price.currency',
  }),
  'operations of pricing': Object.fromEntries(
    pricing.map((operation) => [operation, `PriceOperation.${operation}`]),
  ),
  tldlist: { count: '(the gateway requests all TLDs)' },
  resellerdetails: prefixed('Reseller', {
    id: 'upstreamId',
    active: 'active',
    name: 'name',
    balance: 'balance.money.amount',
    currency: 'balance.money.currency',
    symbol: 'balance.symbol',
    'balances.balance': 'balances.money.amount',
    'balances.currency': 'balances.money.currency',
    'balances.symbol': 'balances.symbol',
  }),
  modifynameserver: {
    domain: 'SetNameServersInput.domain',
    nameservers: 'SetNameServersInput.nameServers',
    'data.NameServers': 'SetNameServersPayload.nameServers',
  },
  addchildnameserver: {
    domain: 'AddChildNameServerInput.domain',
    nameServer: 'AddChildNameServerInput.nameServer',
    ipAddress: 'AddChildNameServerInput.ipAddress',
    'data.NameServer': 'AddChildNameServerPayload.childNameServer.name',
    'data.IPAdresses': 'AddChildNameServerPayload.childNameServer.addresses',
  },
  disabletheftlock: {
    domain: 'DomainInput.domain',
    'data.LockStatus': 'DisableTransferLockPayload.transferLocked',
  },
  modifyprivacystatus: {
    domain: 'SetPrivacyProtectionInput.domain',
    status: 'SetPrivacyProtectionInput.privacyProtected',
    reason: 'SetPrivacyProtectionInput.reason',
  },
  syncfromregistry: { domain: 'DomainInput.domain' },
  'a cart': prefixed('CreateCartInput.items', {
    description: 'description',
    quantity: 'quantity',
    price: 'unitPrice',
    total: 'total',
    productType: 'productType',
  }),
  'a hosting group': {
    id: 'UpdateHostingGroupInput.id',
    hostingGroupName: ['UpdateHostingGroupInput.name', 'HostingGroup.name'],
    hostingGroupDescription: ['UpdateHostingGroupInput.description', 'HostingGroup.description'],
    hostingGroupImage: ['UpdateHostingGroupInput.imageUrl', 'HostingGroup.imageUrl'],
  },
  'operations by one parameter': {
    'getdetails.domain': 'Query.domain',
    'singlecheckavailability.domain': 'Query.availability',
    'bulkcheckavailability.domains': 'Query.availabilities',
    'DELETE /hosting/group': 'Mutation.deleteHostingGroup',
    'DELETE /logs': 'Mutation.deleteLogs',
    'POST /auth/logout': 'Mutation.logout',
  },
};

/** The part of the path that the graph does not have; null when it has the whole path. */
function missingIn(path: string): string | null {
  const [typeName = '', ...members] = path.split('.');
  let type: GraphQLNamedType | undefined = schema.getType(typeName);
  for (const member of members) {
    if (isEnumType(type)) return type.getValue(member) ? null : member;
    if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) return member;
    const field: { readonly type: GraphQLType } | undefined = type.getFields()[member];
    if (!field) return member;
    type = getNamedType(field.type);
  }
  return type ? null : typeName;
}

describe.each(Object.entries(tables))('%s', (_name, table) => {
  test.each(Object.entries(table))('%s has a place: %s', (_field, places) => {
    for (const place of [places].flat()) {
      if (!place.startsWith('(')) expect([place, missingIn(place)]).toEqual([place, null]);
    }
  });
});
