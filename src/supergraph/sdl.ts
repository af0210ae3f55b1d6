import {
  type ConstDirectiveNode,
  type GraphQLSchema,
  isObjectType,
  Kind,
  type ObjectTypeDefinitionNode,
  parse,
  print,
  printSchema,
} from 'graphql';
import type { Marks } from '../schema/marks.ts';

type Dialect = keyof Marks;

/** Version 2.4 is the first with subscriptions. */
const federationHead = `extend schema
  @link(url: "https://specs.apollo.dev/federation/v2.4", import: ["@key", "@shareable", "@inaccessible", "@tag"])`;

const stitchingHead = `directive @merge(
  keyField: String
  keyArg: String
  additionalArgs: String
  key: [String!]
  argsExpr: String
) on FIELD_DEFINITION`;

/** The graph as a Federation 2 subgraph. */
export const printSubgraph = (schema: GraphQLSchema): string =>
  `${federationHead}\n\n${printMarked(schema, 'federation')}`;

/** The graph with stitching directives, which say by which fields its types are loaded. */
export const printForStitching = (schema: GraphQLSchema): string =>
  `${stitchingHead}\n\n${printMarked(schema, 'stitching')}`;

/** The SDL with the directives that one dialect has in the `extensions` of types and fields. */
function printMarked(schema: GraphQLSchema, dialect: Dialect): string {
  const { definitions, ...document } = parse(printSchema(schema), { noLocation: true });
  // A supergraph's gateway delivers `@defer` and `@stream` itself, or not at all.
  const own = definitions.filter(({ kind }) => kind !== Kind.DIRECTIVE_DEFINITION);
  const marked = own.map((definition) =>
    definition.kind === Kind.OBJECT_TYPE_DEFINITION
      ? withMarks(definition, schema, dialect)
      : definition,
  );
  return print({ ...document, definitions: marked });
}

function withMarks(
  node: ObjectTypeDefinitionNode,
  schema: GraphQLSchema,
  dialect: Dialect,
): ObjectTypeDefinitionNode {
  const type = schema.getType(node.name.value);
  if (!isObjectType(type)) return node;
  const fields = type.getFields();
  return {
    ...node,
    directives: directivesOf(type, dialect),
    fields: (node.fields ?? []).map((field) => ({
      ...field,
      directives: [...(field.directives ?? []), ...directivesOf(fields[field.name.value], dialect)],
    })),
  };
}

/** Parsed as those of a type, since they have no grammar of their own. */
function directivesOf(marked: Marked | undefined, dialect: Dialect): readonly ConstDirectiveNode[] {
  const text = marked?.extensions.supergraph?.[dialect];
  if (!text) return [];
  const [holder] = parse(`type T ${text}`, { noLocation: true }).definitions;
  return holder?.kind === Kind.OBJECT_TYPE_DEFINITION ? (holder.directives ?? []) : [];
}

interface Marked {
  readonly extensions: { readonly supergraph?: Marks };
}
