import { isListType, isNonNullType } from 'graphql';
import { expect, test } from 'vitest';
import { schema } from '../app/graph.ts';

/** They read nothing as a whole: the process itself, and lists whose items are null each on its own. */
const nonNull = ['domainsByName', 'gateway', 'nodes'];

test('a query field that reads can be null, so that its error leaves the other fields', () => {
  const fields = Object.values(schema.getQueryType()?.getFields() ?? {}).flatMap(
    ({ name, type }) => (isNonNullType(type) ? [{ name, type: type.ofType }] : []),
  );

  expect(fields.map(({ name }) => name).sort()).toEqual(nonNull);
  for (const { type } of fields) expect(isListType(type) && isNonNullType(type.ofType)).toBe(false);
});
