import { costsDomains, noEntities } from '../../schema/cost.ts';
import { registerNode } from '../../schema/node.ts';
import { readContactKey } from '../contact/schema.ts';
import { domainReads } from './loader.ts';

// A contact has no call of its own: its domain has its number.
registerNode('Contact', {
  needed: ['contacts:read'],
  async load({ use }, key) {
    const named = readContactKey(key);
    const domain = named && (await use(domainReads).load(named.domain));
    return named && domain && { ...named, upstreamId: domain.contactIds[named.role] };
  },
  cost(count, key) {
    const named = readContactKey(key);
    const { domains } = named ? costsDomains(count, [named.domain]) : noEntities;
    return domains ? { contacts: domains } : noEntities;
  },
});
