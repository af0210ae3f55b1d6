import type { EquivalentMutant } from '../equivalent.ts';

const file = 'src/outbound/public-address.ts';
const anyFamily = 'With any other family than `ipv4` a BlockList checks an IPv6 address.';

/** Of `src/outbound`. */
export const mutants: readonly EquivalentMutant[] = [
  {
    ...{ file, mutator: 'ConditionalExpression' },
    line: "if (family !== 6 || address.includes('%')) return false;",
    original: 'family !== 6',
    replacement: 'false',
    reason: 'A BlockList contains no text that is no address.',
  },
  {
    ...{ file, mutator: 'StringLiteral', original: "'ipv6'", replacement: '""' },
    line: "if (embedding6.check(address, 'ipv6')) return isPublicAddress(lastIpv4Of(address));",
    reason: anyFamily,
  },
  {
    ...{ file, mutator: 'StringLiteral', original: "'ipv6'", replacement: '""' },
    line: "return global6.check(address, 'ipv6') && !closed6.check(address, 'ipv6');",
    reason: anyFamily,
  },
  {
    ...{ file, mutator: 'MethodExpression' },
    line: "const groups = new URL(`http://[${address}]`).hostname.slice(1, -1).split(':');",
    original: 'new URL(`http://[${address}]`).hostname.slice(1, -1)',
    replacement: 'new URL(`http://[${address}]`).hostname',
    reason: '`parseInt` ignores the bracket after the last group.',
  },
  {
    ...{ file, mutator: 'StringLiteral', original: "'0'", replacement: '""' },
    line: "const value = Number.parseInt(group || '0', 16);",
    reason: 'The bits of NaN are 0.',
  },
];
