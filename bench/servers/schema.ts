import SchemaBuilder from '@pothos/core';
import DataLoader from 'dataloader';
import { GraphQLError } from 'graphql';
import { request } from 'undici';
import {
  credentials,
  instantOf,
  tldOf,
  type WireBulk,
  type WireContacts,
  type WireData,
  type WireDomain,
  type WireOffer,
  type WireTld,
} from './wire.ts';

// The graph of the other GraphQL servers, as a good tutorial teaches it: Pothos, DataLoaders for each request, undici below.

const upstream = process.env.DOMAIN_API_URL ?? '';

async function call<Reply>(action: string, body: object): Promise<Reply> {
  const reply = await request(`${upstream}/?action=${action}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...body, ...credentials }),
  });
  const parsed = (await reply.body.json()) as Reply;
  if (reply.statusCode !== 200) throw new GraphQLError(`${action} failed`);
  return parsed;
}

const dataOf = async <Action extends keyof WireData>(action: Action, body: object) =>
  (await call<{ data: WireData[Action] }>(action, body)).data;

export const createLoaders = () => ({
  details: new DataLoader<string, WireDomain>((names) =>
    Promise.all(names.map((domain) => dataOf('getdetails', { domain }))),
  ),
  contacts: new DataLoader<string, WireContacts>((names) =>
    Promise.all(names.map(async (domain) => (await dataOf('getcontacts', { domain })).contacts)),
  ),
  availability: new DataLoader<string, WireOffer | undefined>(async (names) => {
    const [domain] = names;
    if (names.length === 1) return call<WireOffer[]>('singlecheckavailability', { domain });
    const bulk = await call<WireBulk>('bulkcheckavailability', { domains: names });
    return names.map((name) => bulk.availability[name]?.[0]);
  }),
  tlds: new DataLoader<string, WireTld | undefined>(async (names) => {
    const tlds = await dataOf('tldlist', { count: 1000 });
    const byName = new Map(tlds.map((tld) => [tld.tld, tld]));
    return names.map((name) => byName.get(name));
  }),
});

type Loaders = ReturnType<typeof createLoaders>;
type WireContact = WireContacts['Registrant'];
interface Money {
  readonly amount: string;
  readonly currency: string;
}
interface Page {
  readonly nodes: readonly WireDomain[];
  readonly from: number;
}

const builder = new SchemaBuilder<{ Context: { loaders: Loaders } }>({});

const MoneyRef = builder.objectRef<Money>('Money').implement({
  fields: (t) => ({ amount: t.exposeString('amount'), currency: t.exposeString('currency') }),
});

const PriceRef = builder.objectRef<Money>('TldPrice').implement({
  fields: (t) => ({ price: t.field({ type: MoneyRef, resolve: (money) => money }) }),
});

const PurchaseRef = builder.enumType('PriceOperation', {
  values: { REGISTRATION: { value: 'registration' }, RENEWAL: { value: 'renew' } } as const,
});

const TldRef = builder.objectRef<WireTld>('Tld').implement({
  fields: (t) => ({
    name: t.exposeString('tld'),
    price: t.field({
      type: PriceRef,
      nullable: true,
      args: {
        operation: t.arg({ type: PurchaseRef, required: true }),
        period: t.arg.int({ required: true, defaultValue: 1 }),
      },
      resolve: ({ pricing, currencies }, { operation, period }) => {
        const amount = pricing[operation]?.[period];
        return amount ? { amount, currency: currencies[operation] ?? '' } : null;
      },
    }),
  }),
});

const PhoneRef = builder.objectRef<WireContact['Phone']['Phone']>('PhoneNumber').implement({
  fields: (t) => ({
    e164: t.string({ resolve: ({ CountryCode, Number: line }) => `+${CountryCode}${line}` }),
  }),
});

const AddressRef = builder.objectRef<WireContact['Address']>('Address').implement({
  fields: (t) => ({ city: t.exposeString('City'), country: t.exposeString('Country') }),
});

const ContactRef = builder.objectRef<WireContact>('Contact').implement({
  fields: (t) => ({
    firstName: t.exposeString('FirstName'),
    lastName: t.exposeString('LastName'),
    email: t.exposeString('EMail'),
    phone: t.field({ type: PhoneRef, resolve: ({ Phone }) => Phone.Phone }),
    address: t.field({ type: AddressRef, resolve: ({ Address }) => Address }),
  }),
});

const ContactsRef = builder.objectRef<WireContacts>('DomainContacts').implement({
  fields: (t) => ({
    registrant: t.expose('Registrant', { type: ContactRef }),
    administrative: t.expose('Administrative', { type: ContactRef }),
    technical: t.expose('Technical', { type: ContactRef }),
    billing: t.expose('Billing', { type: ContactRef }),
  }),
});

const DomainRef = builder.objectRef<WireDomain>('Domain').implement({
  fields: (t) => ({
    name: t.exposeString('DomainName'),
    expiresAt: t.string({ resolve: ({ Dates }) => instantOf(Dates.Expiration) }),
    transferLocked: t.boolean({ resolve: ({ LockStatus }) => LockStatus === 'true' }),
    nameServers: t.stringList({ resolve: ({ NameServers }) => [...NameServers] }),
    contacts: t.field({
      type: ContactsRef,
      resolve: ({ DomainName }, _args, { loaders }) => loaders.contacts.load(DomainName),
    }),
    tld: t.field({
      type: TldRef,
      nullable: true,
      resolve: ({ DomainName }, _args, { loaders }) => loaders.tlds.load(tldOf(DomainName)),
    }),
  }),
});

const PageInfoRef = builder.objectRef<Page>('PageInfo').implement({
  fields: (t) => ({
    startCursor: t.string({ resolve: ({ from }) => String(from) }),
    endCursor: t.string({ resolve: ({ from, nodes }) => String(from + nodes.length - 1) }),
  }),
});

const PageRef = builder.objectRef<Page>('DomainConnection').implement({
  fields: (t) => ({
    nodes: t.field({ type: [DomainRef], resolve: ({ nodes }) => [...nodes] }),
    pageInfo: t.field({ type: PageInfoRef, resolve: (page) => page }),
  }),
});

const AvailabilityRef = builder.objectRef<WireOffer>('DomainAvailability').implement({
  fields: (t) => ({
    name: t.string({ resolve: ({ DomainName, TLD }) => `${DomainName}.${TLD}` }),
    state: t.string({
      resolve: ({ Status }) => (Status === 'available' ? 'AVAILABLE' : 'TAKEN'),
    }),
    premium: t.exposeBoolean('IsFee'),
    price: t.field({
      type: MoneyRef,
      nullable: true,
      resolve: ({ Status, Price, Currency }) =>
        Status === 'available' ? { amount: Price, currency: Currency } : null,
    }),
  }),
});

builder.queryType({
  fields: (t) => ({
    domain: t.field({
      type: DomainRef,
      args: { name: t.arg.string({ required: true }) },
      resolve: (_root, { name }, { loaders }) => loaders.details.load(name),
    }),
    domains: t.field({
      type: PageRef,
      args: { first: t.arg.int(), last: t.arg.int(), after: t.arg.string() },
      resolve: async (_root, { first, last, after }) => {
        const { Domains } = await dataOf('getdomainlist', {});
        const start = last ? Domains.length - last : after ? Number(after) + 1 : 0;
        return { nodes: Domains.slice(start, start + (first ?? last ?? 20)), from: start };
      },
    }),
    availability: t.field({
      type: AvailabilityRef,
      nullable: true,
      args: { name: t.arg.string({ required: true }) },
      resolve: (_root, { name }, { loaders }) => loaders.availability.load(name),
    }),
    availabilities: t.field({
      type: [AvailabilityRef],
      nullable: { list: false, items: true },
      args: { names: t.arg.stringList({ required: true }) },
      resolve: (_root, { names }, { loaders }) =>
        Promise.all(names.map((name) => loaders.availability.load(name))),
    }),
  }),
});

export const schema = builder.toSchema();
