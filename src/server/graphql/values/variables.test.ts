import { buildSchema, getOperationAST, Kind, OperationTypeNode, parse } from 'graphql';
import { expect, test } from 'vitest';
import { readVariables } from '../../../lib/graphql-js.ts';
import { coerceVariables } from './coerced-values.ts';

const schema = buildSchema('type Query { of(years: Int): Int }');

test('the errors of variables end after the fiftieth, as in graphql-js', () => {
  const names = Array.from({ length: 60 }, (_, at) => `v${at}`);
  const document = parse(`query (${names.map((name) => `$${name}: Int`).join()}) { of }`);
  const [operation] = document.definitions;
  if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error('There is no operation.');
  const variables = Object.fromEntries(names.map((name) => [name, 'text']));

  const { errors, coerced } = coerceVariables(schema, operation, variables);

  expect([errors?.length, coerced]).toEqual([51, undefined]);
});

test('an operation without definitions of variables has none', () => {
  const selectionSet = { kind: Kind.SELECTION_SET, selections: [] } as const;
  const kind = Kind.OPERATION_DEFINITION;
  const operation = { kind, operation: OperationTypeNode.QUERY, selectionSet } as const;

  expect(coerceVariables(schema, operation, { years: 1 })).toEqual({ coerced: {} });
});

test.each(['String', 'String!', '[String]', '[String!]!', '[[String!]]', 'ID', 'Int'])(
  'a variable of the type %s has the value or the errors of graphql-js',
  (type) => {
    const operation = getOperationAST(parse(`query ($toString: ${type}) { of }`));
    if (!operation) throw new Error('There is no operation.');
    const given = ['a', '', null, 5, {}, [], ['a'], ['a', null], ['a', 5], [['a'], ['b']]];
    for (const variables of [{}, ...given.map((value) => ({ toString: value }))]) {
      const { variableDefinitions = [] } = operation;
      expect(coerceVariables(schema, operation, variables as Record<string, unknown>)).toEqual(
        readVariables(schema, variableDefinitions, variables as Record<string, unknown>),
      );
    }
  },
);
