import { catalogue } from '../../sandbox/service/catalogue.ts';

// What the mock upstream knows. Each value follows from a number or a name, so that a response can be compared exactly.

const plain = catalogue.map(({ tld }) => tld).filter((tld) => /^[a-z]{2,}$/.test(tld));

/** As many as the service sells; each in ASCII and of one label. */
export const tlds: readonly string[] = plain.slice(0, 850);

const numberOfTld = new Map(tlds.map((tld, number) => [tld, number]));
const firstYearCents = (tld: number) => 290 + (tld % 60) * 100;

/** Four fractional digits, as the service writes a price. */
export const registrationPrice = (tld: number, years = 1): string =>
  ((firstYearCents(tld) * years) / 100).toFixed(4);

export const currency = 'USD';

export interface Domain {
  readonly number: number;
  readonly name: string;
  readonly locked: boolean;
  /** UTC to the millisecond. */
  readonly expiresAt: Date;
  readonly nameServers: readonly string[];
}

const firstExpiryMs = Date.UTC(2031, 0, 1, 12);

/** The domain of a number from 0 on; their names are in the order of their numbers. */
export function domainOf(number: number): Domain {
  const host = `host-${number % 40}.net`;
  return {
    number,
    name: `portfolio-${String(number).padStart(6, '0')}.${tlds[number % 5]}`,
    locked: number % 3 === 0,
    expiresAt: new Date(firstExpiryMs + (number % 3_650) * 86_400_000),
    nameServers: [`ns1.${host}`, `ns2.${host}`],
  };
}

/** The number in the name of a domain; NaN in any other name. */
export const numberOf = (name: string): number =>
  Number(/^portfolio-(\d{6})\.[a-z]+$/.exec(name)?.[1] ?? Number.NaN);

export const roles = ['Registrant', 'Administrative', 'Technical', 'Billing'] as const;
export type Role = (typeof roles)[number];

export interface Person {
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly countryCode: string;
  readonly number: string;
  readonly city: string;
  readonly country: string;
}

/** Who stands behind a domain in one role. */
export function personOf(domain: number, role: Role): Person {
  return {
    firstName: `${role.slice(0, 3)}a`,
    lastName: `Miller-${domain}`,
    email: `${role.toLowerCase()}-${domain}@example.com`,
    countryCode: '49',
    number: `30${1_000_000 + domain}`,
    city: `City ${domain % 97}`,
    country: 'DE',
  };
}

export interface Offer {
  readonly label: string;
  readonly tld: string;
  readonly available: boolean;
  readonly premium: boolean;
  readonly price: string;
}

/** Whether a name is free follows from its TLD. @throws RangeError for a TLD that is not sold. */
export function offerFor(name: string): Offer {
  const dot = name.indexOf('.');
  const tld = name.slice(dot + 1);
  const number = numberOfTld.get(tld);
  if (number === undefined) throw new RangeError(`no price for .${tld}`);
  return {
    ...{ label: name.slice(0, dot), tld, price: registrationPrice(number) },
    ...{ available: number % 5 !== 4, premium: number % 10 === 7 },
  };
}
