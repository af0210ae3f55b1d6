import type { EquivalentMutant } from '../equivalent.ts';

/** Of `src/sandbox`. */
export const mutants: readonly EquivalentMutant[] = [
  {
    file: 'src/sandbox/domain-api/purchases.ts',
    mutator: 'ArrayDeclaration',
    line: 'const hosts = readHosts(request.nameservers, offer, [], 2003);',
    original: '[]',
    replacement: '["Stryker was here"]',
    reason: 'A text has no host name, so it gives no host an address.',
  },
  {
    file: 'src/sandbox/domain-api/purchases.ts',
    mutator: 'OptionalChaining',
    line: '...plainDomain(store.contacts.find({ reseller: reseller.id })?.id ?? 0),',
    original: 'store.contacts.find({ reseller: reseller.id })?.id',
    replacement: 'store.contacts.find({',
    reason: 'Every account has contacts from the seed on.',
  },
  {
    file: 'src/sandbox/service/life-cycle.ts',
    mutator: 'MethodExpression',
    line: "const kind = outsideKind(domain.name.slice(0, domain.name.indexOf('.')));",
    original: "domain.name.slice(0, domain.name.indexOf('.'))",
    replacement: 'domain.name',
    reason: 'The two kinds depend on the beginning of the name alone.',
  },
  {
    file: 'src/sandbox/service/life-cycle.ts',
    mutator: 'ConditionalExpression',
    line: 'if (!paid) return;',
    original: '!paid',
    replacement: 'false',
    reason: 'Every transfer that can be rejected was paid.',
  },
  {
    file: 'src/sandbox/service/life-cycle.ts',
    mutator: 'OptionalChaining',
    line: "if (status === 'PendingDelete') return expiresAt + (tldAbove(name)?.purgeAfterDays ?? 80) * dayMs;",
    original: 'tldAbove(name)?.purgeAfterDays',
    replacement: 'tldAbove(name).purgeAfterDays',
    reason: 'Every domain is under a TLD of the catalogue.',
  },
  {
    file: 'src/sandbox/domain-api/purchases.ts',
    mutator: 'ConditionalExpression',
    line: 'return Number.isInteger(times) && times > 0 ? price.times(decimal(times)) : null;',
    original: 'times > 0',
    replacement: 'true',
    reason: 'No TLD of the catalogue sells a period shorter than its first price.',
  },
  {
    file: 'src/sandbox/domain-api/purchases.ts',
    mutator: 'EqualityOperator',
    line: 'return Number.isInteger(times) && times > 0 ? price.times(decimal(times)) : null;',
    original: 'times > 0',
    replacement: 'times >= 0',
    reason: 'No TLD of the catalogue sells a period shorter than its first price.',
  },
];
