import {
  GraphQLBoolean,
  type GraphQLDirective,
  GraphQLObjectType,
  GraphQLSchema,
  parse,
  specifiedDirectives,
} from 'graphql';
import { expect, test } from 'vitest';
import { execute } from '../lib/graphql-js.ts';
import { incrementalDirectives, isStreamed } from './incremental-delivery.ts';

const schemaWith = (directives: readonly GraphQLDirective[]) =>
  new GraphQLSchema({
    directives: [...specifiedDirectives, ...directives],
    query: new GraphQLObjectType({
      name: 'Query',
      fields: {
        a: { type: GraphQLBoolean, resolve: (_root, _args, _context, info) => isStreamed(info) },
      },
    }),
  });

const run = (document: string, directives = incrementalDirectives) =>
  execute({
    schema: schemaWith(directives),
    document: parse(document),
    variableValues: { no: false },
  });

test.each([
  ['{ a @stream }', true],
  ['{ a @stream(initialCount: 2) }', true],
  ['{ a @stream(if: true) }', true],
  ['{ a @stream(if: false) }', false],
  ['query ($no: Boolean!) { a @stream(if: $no) }', false],
  ['{ a }', false],
  ['{ a @include(if: true) }', false],
])('the field of %s is streamed: %s', async (document, isExpected) => {
  expect(await run(document)).toEqual({ data: { a: isExpected } });
});

test('no field is streamed in a graph without the directive', async () => {
  expect(await run('{ a @stream }', [])).toEqual({ data: { a: false } });
});
