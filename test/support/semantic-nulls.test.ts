import { buildSchema } from 'graphql';
import { expect, test } from 'vitest';
import { schema, sdlFiles } from '../../src/app/graph.ts';
import { nullsWithoutError } from './semantic-nulls.ts';

test('a null without an error is found where the SDL says `@semanticNonNull`', () => {
  const document = '{ ... { me: reseller { name } } tld(name: "com") { id } }';
  const data = { me: null, tld: null };
  const error = { path: ['me'] };

  expect(nullsWithoutError(document, { data })).toEqual(['me.']);
  expect(nullsWithoutError(document, { data, errors: [error] })).toEqual([]);
});

test('the SDL with `@semanticNonNull` is valid, and marks the lists at the root', () => {
  const sdl = sdlFiles['semantic.graphql']?.(schema) ?? '';
  const { reseller, domain } = buildSchema(sdl).getQueryType()?.getFields() ?? {};

  expect(reseller?.astNode?.directives?.map(({ name }) => name.value)).toEqual(['semanticNonNull']);
  expect(domain?.astNode?.directives ?? []).toEqual([]);
});
