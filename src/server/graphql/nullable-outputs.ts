import { MapperKind, mapAsyncIterator, mapSchema } from '@graphql-tools/utils';
import {
  type DocumentNode,
  defaultFieldResolver,
  type GraphQLFieldConfig,
  GraphQLList,
  type GraphQLOutputType,
  type GraphQLSchema,
  isListType,
  isNonNullType,
  visit,
} from 'graphql';
import { memoize } from '../../lib/lazy.ts';
import type { OnError } from '../http/http-request.ts';
import { isPromise } from './compiled/execute-fields.ts';

/**
 * The schema to execute a document with. With `onError: NULL` its fields and list items can be null, so that an error does not
 * propagate. Introspection shows the types, so a document with introspection is executed with the schema itself.
 */
export const executionSchema = (
  schema: GraphQLSchema,
  document: DocumentNode,
  onError: OnError,
): GraphQLSchema =>
  onError === 'NULL' && !introspects(document) ? withNullableOutputs(schema) : schema;

const introspects = memoize((document: DocumentNode): boolean => {
  let found = false;
  visit(document, {
    Field({ name }) {
      found ||= name.value === '__schema' || name.value === '__type';
    },
  });
  return found;
});

const withNullableOutputs = memoize((schema: GraphQLSchema) =>
  mapSchema(schema, {
    [MapperKind.COMPOSITE_FIELD]: (field, name, typeName) =>
      toNullable(field as GraphQLFieldConfig<unknown, unknown>, `${typeName}.${name}`),
  }),
);

function toNullable(
  field: GraphQLFieldConfig<unknown, unknown>,
  title: string,
): GraphQLFieldConfig<unknown, unknown> {
  const { type, resolve = defaultFieldResolver } = field;
  const nullable = nullableType(type);
  if (String(nullable) === String(type)) return field;
  return {
    ...field,
    type: nullable,
    resolve: (...args) => withErrors(resolve(...args), type, title),
  };
}

function nullableType(type: GraphQLOutputType): GraphQLOutputType {
  if (isNonNullType(type)) return nullableType(type.ofType);
  return isListType(type) ? new GraphQLList(nullableType(type.ofType)) : type;
}

/** The value with an error in place of each null that its type forbids; the executor reports an error among the items. */
function withErrors(value: unknown, type: GraphQLOutputType, title: string): unknown {
  if (isPromise(value)) return value.then((one) => withErrors(one, type, title));
  if (value === null || value === undefined) {
    if (!isNonNullType(type)) return value;
    return new Error(`Cannot return null for non-nullable field ${title}.`);
  }
  const present = isNonNullType(type) ? type.ofType : type;
  if (!isListType(present) || typeof value !== 'object') return value;
  const { ofType } = present;
  const itemOf = (item: unknown) => withErrors(item, ofType, title);
  if (Symbol.asyncIterator in value)
    return mapAsyncIterator(value as AsyncIterable<unknown>, itemOf);
  return Symbol.iterator in value ? Array.from(value as Iterable<unknown>, itemOf) : value;
}
