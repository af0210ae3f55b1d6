import {
  buildSchema,
  type GraphQLNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isSpecifiedScalarType,
  parse,
  printSchema,
  validate,
} from 'graphql';
import { expect, test } from 'vitest';
import { schema } from '../../src/app/graph.ts';
import { startTestGateway } from '../support/gateway.ts';
import { readText } from './markdown.ts';

interface Described {
  readonly place: string;
  readonly description: string;
}

const described = (
  place: string,
  { description }: { description?: string | null | undefined },
) => ({
  place,
  description: description?.trim() ?? '',
});

/** A type and everything below it that can have a description. */
function* partsOf(type: GraphQLNamedType): Generator<Described> {
  yield described(type.name, type);
  if (isObjectType(type) || isInterfaceType(type)) {
    for (const field of Object.values(type.getFields())) {
      yield described(`${type.name}.${field.name}`, field);
      for (const arg of field.args) {
        yield described(`${type.name}.${field.name}(${arg.name}:)`, arg);
      }
    }
  }
  if (isInputObjectType(type)) {
    for (const field of Object.values(type.getFields())) {
      yield described(`${type.name}.${field.name}`, field);
    }
  }
  if (isEnumType(type)) {
    for (const value of type.getValues()) yield described(`${type.name}.${value.name}`, value);
  }
}

const ours = Object.values(schema.getTypeMap()).filter(
  (type) => !type.name.startsWith('__') && !isSpecifiedScalarType(type),
);

test('schema.graphql is the graph of the code', { tags: ['R5', 'R10', 'G26'] }, () => {
  const [head = '', ...rest] = readText('schema.graphql').split('\n\n');

  expect(head).toMatch(/^# Printed from the code/);
  expect(rest.join('\n\n')).toBe(`${printSchema(schema)}\n`);
});

test('every type, field, argument, input and enum value has a description', {
  tags: ['R5'],
}, () => {
  const parts = ours.flatMap((type) => [...partsOf(type)]);

  expect(parts.length).toBeGreaterThan(300);
  expect(parts.filter(({ description }) => description === '')).toEqual([]);
});

test('every description ends with a full stop', () => {
  const parts = ours.flatMap((type) => [...partsOf(type)]);

  expect(parts.filter(({ description }) => !/[.`]$/.test(description))).toEqual([]);
});

test('@defer and @stream are in the SDL and in introspection, and documents with them are valid', async () => {
  const document = parse(`query ($if: Boolean!) {
    searchDomains(labels: ["maple"]) @stream(initialCount: 1, if: $if) { position }
    domain(name: "a.com") { name ... @defer(label: "people", if: $if) { contacts { registrant { email } } } }
  }`);
  const gateway = await startTestGateway({ sandboxDomains: 1 });
  const { data } = await gateway.query('{ __schema { directives { name } } }');
  await gateway.close();

  expect(validate(buildSchema(readText('schema.graphql')), document)).toEqual([]);
  const names = data.__schema.directives.map(({ name }: { name: string }) => name);
  expect(names).toEqual(expect.arrayContaining(['defer', 'stream']));
});
