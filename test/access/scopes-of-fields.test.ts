import { type GraphQLObjectType, getNamedType, isInterfaceType, isObjectType } from 'graphql';
import { expect, test } from 'vitest';
import { schema } from '../../src/app/graph.ts';
import { type AccessScope, accessScopes } from '../../src/kernel/caller.ts';
import { neededFor } from '../../src/schema/access.ts';

const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];

/** These find objects of every type and check the scopes of each. */
const byType = ['Query.node', 'Query.nodes'];

const fieldsOf = (type: GraphQLObjectType | null | undefined) =>
  Object.values(type?.getFields() ?? {}).map((field) => ({
    at: `${type?.name}.${field.name}`,
    needed: neededFor(field),
    type: getNamedType(field.type),
  }));

test('every query, mutation and subscription names the scope that it needs', {
  tags: ['S1'],
}, () => {
  const fields = roots.flatMap(fieldsOf);

  expect(fields.length).toBeGreaterThan(25);
  expect(fields.filter(({ needed }) => needed.length === 0).map(({ at }) => at)).toEqual(byType);
});

/** The scopes of which a caller needs one to see a type. */
const guarded: Readonly<Record<string, readonly AccessScope[]>> = {
  Domain: ['domains:read'],
  ChangedField: ['domains:read'],
  DomainStats: ['domains:read'],
  Event: ['events:read'],
  Contact: ['contacts:read'],
  DomainContacts: ['contacts:read'],
  Tld: ['domains:check'],
  DomainAvailability: ['domains:check'],
  DomainSearchResult: ['domains:check'],
  Reseller: ['account:read'],
  Balance: ['account:read'],
  Renewals: ['domains:read'],
  Purchase: ['domains:spend', 'ops'],
  TransferProgress: ['domains:spend', 'ops'],
  BulkChange: ['domains:write', 'ops'],
  BulkChangeItem: ['domains:write', 'ops'],
};

/** These are null to a caller without these scopes, as `related-objects.test.ts` and the tests of approvals show. */
const byService = [
  ...['Event.purchase', 'IdempotencyConflict.purchase', 'OutcomeUnknown.purchase'],
  'Approval.subject',
];

/** Types that can be reached by fields of which none needs one of these scopes. */
function reachableWithout(scopes: readonly AccessScope[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const follow = (type: GraphQLObjectType | null | undefined): void => {
    if (!type || seen.has(type.name)) return;
    seen.add(type.name);
    for (const field of fieldsOf(type)) {
      const isShut = field.needed.length > 0 && field.needed.every((one) => scopes.includes(one));
      if (isShut || [...byType, ...byService].includes(field.at)) continue;
      if (isObjectType(field.type)) follow(field.type);
      if (isInterfaceType(field.type)) {
        for (const member of schema.getImplementations(field.type).objects) follow(member);
      }
    }
  };
  for (const root of roots) follow(root);
  return seen;
}

test.each(Object.entries(guarded))(
  'no path of fields leads to %s without one of %j',
  { tags: ['S1'] },
  (type, scopes) => {
    expect(schema.getType(type)).toBeDefined();
    expect(reachableWithout(scopes)).not.toContain(type);
  },
);

test.each(['Domain', 'Contact'])(
  'the auth code of a %s has a scope of its own',
  { tags: ['G21'] },
  (name) => {
    const type = schema.getType(name);
    const code = isObjectType(type) ? type.getFields().authCode : undefined;

    expect(code && neededFor(code)).toEqual(['authcode:read']);
  },
);

test('each scope is required by a field', () => {
  const types = Object.values(schema.getTypeMap()).filter(isObjectType);
  const needed = new Set(types.flatMap(fieldsOf).flatMap((field) => field.needed));

  expect([...needed].sort()).toEqual(Object.keys(accessScopes).sort());
});
