import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'undici';
import {
  credentials,
  instantOf,
  tldOf,
  type WireBulk,
  type WireContacts,
  type WireData,
  type WireOffer,
} from './wire.ts';

// What one writes by hand where no graph is wanted: a path for each page, calls one after another, no check of anything.

const pool = new Pool(process.env.DOMAIN_API_URL ?? '');

/** `getcontacts` of one request that run at the same time. */
const contactsAtOnce = 16;

async function call<Reply>(action: string, body: object): Promise<Reply> {
  const reply = await pool.request({
    method: 'POST',
    path: `/?action=${action}`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...body, ...credentials }),
  });
  return JSON.parse(await reply.body.text()) as Reply;
}

const dataOf = async <Action extends keyof WireData>(action: Action, body: object) =>
  (await call<{ data: WireData[Action] }>(action, body)).data;

const contactsOf = async (domain: string) => (await dataOf('getcontacts', { domain })).contacts;

async function listOfDomains(first: number) {
  const { Domains } = await dataOf('getdomainlist', {});
  return Domains.slice(0, first);
}

async function registrants(first: number) {
  const domains = await listOfDomains(first);
  const nodes: unknown[] = [];
  for (let at = 0; at < domains.length; at += contactsAtOnce) {
    const some = domains.slice(at, at + contactsAtOnce);
    const found = await Promise.all(
      some.map(async ({ DomainName }) => {
        const { FirstName, LastName, EMail } = (await contactsOf(DomainName)).Registrant;
        const registrant = { firstName: FirstName, lastName: LastName, email: EMail };
        return { name: DomainName, contacts: { registrant } };
      }),
    );
    nodes.push(...found);
  }
  return { domains: { nodes } };
}

const contactShown = ({ FirstName, LastName, EMail, Phone, Address }: WireContacts['Billing']) => ({
  ...{ firstName: FirstName, lastName: LastName, email: EMail },
  phone: { e164: `+${Phone.Phone.CountryCode}${Phone.Phone.Number}` },
  address: { city: Address.City, country: Address.Country },
});

async function domain(name: string) {
  const { DomainName } = await dataOf('getdetails', { domain: name });
  const { Registrant, Administrative, Technical, Billing } = await contactsOf(name);
  const tld = (await dataOf('tldlist', { count: 1000 })).find((one) => one.tld === tldOf(name));
  const price = {
    amount: tld?.pricing.registration?.[1],
    currency: tld?.currencies.registration,
  };
  return {
    domain: {
      name: DomainName,
      contacts: {
        ...{ registrant: contactShown(Registrant), administrative: contactShown(Administrative) },
        ...{ technical: contactShown(Technical), billing: contactShown(Billing) },
      },
      tld: { price: { price } },
    },
  };
}

function offerShown(offer: WireOffer) {
  const { DomainName, TLD, Status, IsFee, Price, Currency } = offer;
  const isFree = Status === 'available';
  return {
    ...{ name: `${DomainName}.${TLD}`, state: isFree ? 'AVAILABLE' : 'TAKEN', premium: IsFee },
    price: isFree ? { amount: Price, currency: Currency } : null,
  };
}

async function availabilities(names: readonly string[]) {
  const bulk = await call<WireBulk>('bulkcheckavailability', { domains: names });
  const offers = names.map((name) => bulk.availability[name]?.[0]);
  return offers.map((offer) => offer && offerShown(offer));
}

/** The same with a key for each name, as aliases have. */
async function aliases(names: readonly string[]) {
  const offers = await availabilities(names);
  return Object.fromEntries(offers.map((offer, at) => [`a${at}`, offer]));
}

async function availability(name: string) {
  const [offer] = await call<WireOffer[]>('singlecheckavailability', { domain: name });
  return { availability: offer && offerShown(offer) };
}

async function domains(first: number) {
  const nodes = (await listOfDomains(first)).map((one) => ({
    name: one.DomainName,
    expiresAt: instantOf(one.Dates.Expiration),
    transferLocked: one.LockStatus === 'true',
    nameServers: one.NameServers,
  }));
  return { domains: { nodes } };
}

async function answerTo(address: string): Promise<unknown> {
  const { pathname, searchParams } = new URL(address, 'http://127.0.0.1');
  const [, page = '', name = ''] = pathname.split('/');
  const first = Number(searchParams.get('first'));
  const names = (searchParams.get('names') ?? '').split(',');
  switch (page) {
    case 'domains':
      return domains(first);
    case 'registrants':
      return registrants(first);
    case 'domain':
      return domain(name);
    case 'availability':
      return availability(name);
    case 'availabilities':
      return { availabilities: await availabilities(names) };
    case 'aliases':
      return aliases(names);
    default:
      return { __typename: 'Query' };
  }
}

const server = createServer(async (request, response) => {
  try {
    const data = await answerTo(request.url ?? '/');
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ data }));
  } catch {
    response.writeHead(502).end();
  }
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
