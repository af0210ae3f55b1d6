import { buildSchema, type GraphQLSchema, printSchema, validateSchema } from 'graphql';
import { describe, expect, test } from 'vitest';
import { schema } from '../app/graph.ts';
import { type AccessScope, allAccessScopes } from '../kernel/caller.ts';
import { createVisibleSchemas, visibleSchema } from './visible-schema.ts';

const withScopes = (...scopes: readonly AccessScope[]) => ({
  scopes: new Set(scopes),
  customer: null,
});
const of = (...scopes: readonly AccessScope[]) => visibleSchema(schema, withScopes(...scopes));
const rootFieldsOf = (visible: GraphQLSchema) =>
  Object.keys(visible.getQueryType()?.getFields() ?? {});

describe('the schema of a caller', () => {
  test.each([...allAccessScopes.map((scope) => [scope]), []])(
    'with %s alone is valid, also as SDL',
    (...scopes) => {
      const visible = of(...scopes);

      expect(validateSchema(visible)).toEqual([]);
      expect(validateSchema(buildSchema(printSchema(visible)))).toEqual([]);
    },
  );

  test('with every scope is the whole one', () => {
    const all = withScopes(...allAccessScopes);

    expect(printSchema(visibleSchema(schema, all))).toBe(printSchema(schema));
    expect(createVisibleSchemas(schema)(all)).toBe(schema);
  });

  test('has what a visitor of a shop may use, and no type without a way to it', () => {
    const visible = of('domains:check');

    expect(rootFieldsOf(visible)).toEqual([
      ...['searchDomains', 'availability', 'availabilities', 'tld', 'tlds'],
      ...['gateway', 'node', 'nodes'],
    ]);
    expect(visible.getMutationType()).toBeFalsy();
    expect(visible.getType('Domain')).toBeUndefined();
    expect(visible.getType('DomainAvailability')).toBeDefined();
    expect(visible.description).toContain('`searchDomains`');
    expect(visible.description).not.toContain('registerDomain');
  });

  test('has a field below a type only with its scope', () => {
    const fieldsOf = (visible: GraphQLSchema) => {
      const type = visible.getType('Domain');
      return type && 'getFields' in type ? Object.keys(type.getFields()) : [];
    };

    expect(fieldsOf(of('domains:read'))).not.toContain('authCode');
    expect(fieldsOf(of('domains:read', 'authcode:read'))).toContain('authCode');
  });

  test('that is bound to a customer lacks what belongs to the account', () => {
    const bound = visibleSchema(schema, { ...withScopes('account:read'), customer: 'bakery' });

    expect(rootFieldsOf(of('account:read'))).toContain('reseller');
    expect(rootFieldsOf(bound)).not.toContain('reseller');
  });

  test('is one object for callers with the same scopes', () => {
    const schemaOf = createVisibleSchemas(schema);

    expect(schemaOf(withScopes('domains:check', 'domains:read'))).toBe(
      schemaOf(withScopes('domains:read', 'domains:check')),
    );
  });
});
