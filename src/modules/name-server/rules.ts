import { BlockList, isIP } from 'node:net';
import { GraphQLIP } from 'graphql-scalars';
import { type DomainName, isWithin, parseDomainName } from '../../kernel/domain-name.ts';
import { invalidInput } from '../../kernel/faults.ts';
import { isPublicUnicast } from '../../lib/addresses.ts';
import { quoted } from '../../lib/text.ts';
import { accepts, type Checks } from '../mutation/checks.ts';
import { domainFields, nameServerFields, type RefusedFields } from '../mutation/refused-fields.ts';

/** Name servers of one domain. Some TLDs allow fewer and many require two, which no reply reports. */
export const maxNameServers = 13;

/** The host names in canonical form, without repetitions. */
export function checkNameServers(
  checks: Checks,
  nameServers: readonly string[],
): readonly string[] {
  const path = ['input', 'nameServers'];
  const hosts = nameServers.map(
    (host, at) => checks.check([...path, String(at)], () => parseDomainName(host)) ?? host,
  );
  const distinct = [...new Set(hosts)];
  checks.check(path, () => {
    if (distinct.length === 0 || distinct.length > maxNameServers) {
      throw invalidInput(
        `A domain has 1 to ${maxNameServers} name servers (many TLDs require 2); ${distinct.length} were given.`,
        { facts: { minimum: 1, maximum: maxNameServers } },
      );
    }
  });
  return distinct;
}

/** The trimmed address. @throws Fault `INVALID_INPUT` for other text and for addresses that are not public. */
export function publicAddress(text: string): string {
  const address = text.trim();
  // The scalar also accepts a prefix length and leading zeros, `isIP` a zone such as `%eth0`.
  const family = accepts(GraphQLIP, address) ? isIP(address) : 0;
  if (family === 0) {
    throw invalidInput(
      `${quoted(text)} is not an IP address such as "8.8.8.8" or "2606:4700::1111".`,
    );
  }
  if (!isPublicUnicast(address)) {
    throw invalidInput(
      `A name server needs a public address; ${address} is private, reserved or not unicast.`,
    );
  }
  return address;
}

/** @throws Fault `INVALID_INPUT` for a host that is not under its domain. */
export function childOf(host: DomainName, domain: DomainName): DomainName {
  if (host === domain || !isWithin(host, domain)) {
    throw invalidInput(
      `A child name server must be under its domain, such as "ns1.${domain}"; "${host}" is not.`,
    );
  }
  return host;
}

/** Whether both texts are one address: IPv6 has many spellings. False for other text. */
export function isSameAddress(one: string, other: string): boolean {
  const [family, otherFamily] = [isIP(one), isIP(other)];
  if (family === 0 || family !== otherFamily) return false;
  const version = family === 4 ? 'ipv4' : 'ipv6';
  const list = new BlockList();
  list.addAddress(one, version);
  return list.check(other, version);
}

export const setNameServersFields: RefusedFields = {
  ...domainFields,
  ...nameServerFields,
  API_2303_ERROR: [
    'nameServers',
    'One of the name servers is not registered at the registry; a host under a registered domain needs an address (glue) first.',
  ],
};

export const addChildNameServerFields: RefusedFields = {
  ...domainFields,
  ALREADY_EXISTS: ['nameServer', 'This name server already exists.'],
  API_505_ERROR: ['ipAddress', 'The registry needs an address of the name server.'],
  API_2004_ERROR: ['ipAddress', 'The registry does not accept this address.'],
  API_2005_ERROR: ['ipAddress', 'The registry does not accept this address.'],
};
