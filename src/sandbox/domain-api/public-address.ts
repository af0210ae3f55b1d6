import { BlockList, isIPv6 } from 'node:net';

/** Addresses that are not public: IANA's special-purpose registries, shortened. */
const special = new BlockList();
const ranges = `
0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.168.0.0/16
198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4
`;
for (const range of ranges.trim().split(/\s+/)) {
  const [network = '', bits = ''] = range.split('/');
  special.addSubnet(network, Number(bits), 'ipv4');
}
special.addSubnet('2001:db8::', 32, 'ipv6');

const globalUnicast = new BlockList();
globalUnicast.addSubnet('2000::', 3, 'ipv6');

/** Whether a valid address is public. */
export const isPublicAddress = (ip: string): boolean =>
  isIPv6(ip)
    ? globalUnicast.check(ip, 'ipv6') && !special.check(ip, 'ipv6')
    : !special.check(ip, 'ipv4');
