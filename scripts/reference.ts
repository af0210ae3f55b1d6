import {
  astFromValue,
  type GraphQLArgument,
  type GraphQLEnumType,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  print,
} from 'graphql';
import { allAccessScopes } from '../src/kernel/caller.ts';
import { neededFor } from '../src/schema/access.ts';
import { code, table } from './markdown.ts';
import { pageText, productPages } from './tables.ts';

const kinds: readonly (readonly [title: string, fits: (type: GraphQLNamedType) => boolean])[] = [
  ['Objects', isObjectType],
  ['Interfaces and unions', isAbstractType],
  ['Inputs', isInputObjectType],
  ['Enums', isEnumType],
  ['Scalars', isScalarType],
];

/** The tables, a page per type of the graph with the scopes of each field, and a page that lists them; by path. */
export function referencePages(schema: GraphQLSchema): ReadonlyMap<string, string> {
  const types = Object.values(schema.getTypeMap()).filter(
    (type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type),
  );
  const lists = kinds.map(([title, fits]) => {
    const links = types.filter(fits).map(({ name }) => `- [${name}](reference/${name}.md)`);
    return `## ${title}\n\n${links.join('\n')}\n`;
  });
  const tables = Object.entries(productPages);
  const links = tables.map(([name, { title }]) => `- [${title}](reference/${name}.md)`);
  return new Map([
    ['docs/reference.md', `# Reference\n\n## Tables\n\n${links.join('\n')}\n\n${lists.join('\n')}`],
    ...tables.map(([name, page]) => [`docs/reference/${name}.md`, pageText(page)] as const),
    ...types.map((type) => [`docs/reference/${type.name}.md`, pageOf(type, schema)] as const),
  ]);
}

function pageOf(type: GraphQLNamedType, schema: GraphQLSchema): string {
  const parts = [
    `# ${type.name}`,
    type.description ?? '',
    isObjectType(type) || isInterfaceType(type) ? fieldsOf(type.getFields()) : '',
    isInputObjectType(type) ? valuesTable('field', Object.values(type.getFields())) : '',
    isEnumType(type) ? enumTable(type) : '',
    isAbstractType(type) ? `Types: ${schema.getPossibleTypes(type).map(link).join(', ')}` : '',
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function fieldsOf(fields: Readonly<Record<string, GraphQLField<unknown, unknown>>>) {
  const all = Object.values(fields);
  const rows = all.map((field) => [
    code(field.name),
    typeCell(field.type),
    scopeCell(field),
    // The scope has its own column.
    textCell(field.description?.replace(/ ?Needs (?:any scope|`[^.]*`)\.$/, '')),
  ]);
  const withArguments = all.filter(({ args }) => args.length > 0);
  return [
    table(['field', 'type', 'needs', 'description'], rows),
    ...withArguments.map(
      ({ name, args }) => `## Arguments of ${code(name)}\n\n${valuesTable('argument', args)}`,
    ),
  ].join('\n\n');
}

function valuesTable(
  head: string,
  values: readonly Pick<GraphQLArgument, 'name' | 'type' | 'defaultValue' | 'description'>[],
): string {
  const rows = values.map(({ name, type, defaultValue, description }) => {
    const initial = astFromValue(defaultValue, type);
    return [
      code(name),
      typeCell(type),
      initial ? code(print(initial)) : '–',
      textCell(description),
    ];
  });
  return table([head, 'type', 'default', 'description'], rows);
}

const enumTable = (type: GraphQLEnumType): string =>
  table(
    ['value', 'meaning'],
    type.getValues().map(({ name, description }) => [code(name), textCell(description)]),
  );

function scopeCell(field: GraphQLField<unknown, unknown>): string {
  const scopes = neededFor(field);
  if (scopes.length === allAccessScopes.length) return 'any scope';
  return scopes.map(code).join(' or ') || '–';
}

const link = ({ name }: { readonly name: string }) => `[${name}](${name}.md)`;

/** Types that every GraphQL server has are no links. */
function typeCell(type: GraphQLInputType | GraphQLOutputType): string {
  const named = getNamedType(type);
  return isSpecifiedScalarType(named)
    ? code(String(type))
    : String(type)
        .replace(named.name, link(named))
        .replace(/^\[(?=\[)/, '\\[');
}

const textCell = (text?: string | null): string =>
  text?.replaceAll('|', '\\|').replaceAll(/\s*\n\s*/g, ' ') || '–';
