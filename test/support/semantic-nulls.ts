import {
  type DocumentNode,
  type GraphQLNamedType,
  getNamedType,
  isObjectType,
  Kind,
  parse,
  type SelectionSetNode,
} from 'graphql';
import { schema } from '../../src/app/graph.ts';

interface Result {
  readonly data?: unknown;
  readonly errors?: readonly { readonly path?: readonly (string | number)[] }[];
}

/** The paths at which a response has null without an error, though the SDL says `@semanticNonNull`. */
export function nullsWithoutError(text: string, { data, errors = [] }: Result): readonly string[] {
  const document = parsed(text);
  const operation = document?.definitions.find(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  if (!document || operation?.kind !== Kind.OPERATION_DEFINITION || !data) return [];
  const failed = errors.map(({ path = [] }) => `${path.join('.')}.`);
  const found: string[] = [];

  const walk = (
    type: GraphQLNamedType | undefined,
    { selections }: SelectionSetNode,
    value: unknown,
    path: string,
  ) => {
    if (Array.isArray(value)) {
      for (const [at, item] of value.entries())
        walk(type, { kind: Kind.SELECTION_SET, selections }, item, `${path}${at}.`);
      return;
    }
    if (!isObjectType(type) || typeof value !== 'object' || value === null) return;
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) {
        const field = type.getFields()[selection.name.value];
        const key = (selection.alias ?? selection.name).value;
        const member = (value as Readonly<Record<string, unknown>>)[key];
        const here = `${path}${key}.`;
        if (field?.extensions.semantic && member === null) {
          if (!failed.some((one) => one.startsWith(here))) found.push(here);
        }
        if (field && selection.selectionSet)
          walk(getNamedType(field.type), selection.selectionSet, member, here);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        walk(type, selection.selectionSet, value, path);
      }
    }
  };
  walk(schema.getQueryType() ?? undefined, operation.selectionSet, data, '');
  return operation.operation === 'query' ? found : [];
}

function parsed(text: string): DocumentNode | null {
  try {
    return parse(text);
  } catch {
    return null;
  }
}
