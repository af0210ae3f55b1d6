import { BlockList, isIP } from 'node:net';

/** Whether an address is reachable from this machine only. */
export const isLoopback = (host: string): boolean =>
  /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);

/** A host as a URL writes it, IPv6 in brackets; null for text that is not a host. */
export function canonicalHost(host: string): string | null {
  const isBare = host.includes(':') && !host.startsWith('[');
  return URL.parse(`http://${isBare ? `[${host}]` : host}/`)?.hostname || null;
}

/** Whether listening on this address accepts connections to every address of the machine. */
export const isWildcard = (host: string): boolean =>
  ['0.0.0.0', '[::]', '[::ffff:0:0]'].includes(canonicalHost(host) ?? '');

const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];

/** The default of ALLOWED_HOSTS for a HOST. */
export const defaultHosts = (host: string): readonly string[] => {
  const name = canonicalHost(host);
  return name === null ? loopbackNames : [...new Set([...loopbackNames, name])];
};

/** Whether credentials would be sent to this URL unencrypted over a network. */
export function isUnencrypted(url: string | undefined): boolean {
  if (url === undefined) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && !isLoopback(hostname);
}

/** Whether a URL is on another machine and encrypted, so that it may be that of the real registrar. */
export function isRemote(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' && !isLoopback(hostname);
}

/** Ranges of IPv4 that are not public (IANA IPv4 Special-Purpose Address Registry, RFC 6890), and multicast. */
const closedIpv4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const;

/** Global unicast. All other ranges of IPv6 are closed: loopback, unique local, link-local, multicast and those without a use. */
const globalIpv6 = ['2000::', 3] as const;

/** Ranges within it that are not public (IANA IPv6 Special-Purpose Address Registry): Teredo, documentation and 6to4. */
const closedIpv6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const;

/** IPv4 addresses within IPv6: mapped ones, and those of NAT64 (RFC 6052). */
const embeddingIpv6 = [
  ['::ffff:0:0', 96],
  ['64:ff9b::', 96],
] as const;

const listOf = (ranges: readonly (readonly [string, number])[], family: 'ipv4' | 'ipv6') => {
  const list = new BlockList();
  for (const [network, bits] of ranges) list.addSubnet(network, bits, family);
  return list;
};

const closed4 = listOf(closedIpv4, 'ipv4');
const closed6 = listOf(closedIpv6, 'ipv6');
const global6 = listOf([globalIpv6], 'ipv6');
const embedding6 = listOf(embeddingIpv6, 'ipv6');

/** Whether an IP address is public unicast by its range. False for text that is no address, and for IPv4 within IPv6. */
export function isPublicUnicast(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !closed4.check(address, 'ipv4');
  // A zone, as in `fe80::1%eth0`, belongs to a link.
  if (family !== 6 || address.includes('%')) return false;
  return global6.check(address, 'ipv6') && !closed6.check(address, 'ipv6');
}

/** Whether a connection to an IP address reaches a public one: also IPv4 within IPv6. */
export const isPublicAddress = (address: string): boolean =>
  isIP(address) === 6 && !address.includes('%') && embedding6.check(address, 'ipv6')
    ? isPublicUnicast(lastIpv4Of(address))
    : isPublicUnicast(address);

function lastIpv4Of(address: string): string {
  // A URL writes the address without a dotted part, such as `[::ffff:7f00:1]`.
  const groups = new URL(`http://[${address}]`).hostname.slice(1, -1).split(':');
  const bytes = groups.slice(-2).flatMap((group) => {
    const value = Number.parseInt(group || '0', 16);
    return [value >> 8, value & 0xff];
  });
  return bytes.join('.');
}
