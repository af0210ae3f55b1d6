import { collectFields, collectSubFields } from '@graphql-tools/utils';
import {
  type ASTNode,
  type DocumentNode,
  defaultFieldResolver,
  type FieldNode,
  type GraphQLObjectType,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  TypeNameMetaFieldDef,
  visit,
} from 'graphql';
import { memoize } from '../../../lib/lazy.ts';
import { createArgumentReader } from '../values/coerced-values.ts';
import { planValue } from './complete.ts';
import type { FieldPlan, SelectionPlan, SharedInfo } from './plan.ts';

type Source = Pick<SharedInfo, 'schema' | 'fragments' | 'operation' | 'rootValue'>;

/** The plan of a query of a valid document, or null when graphql-js has to execute it. */
export function compileQuery(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): SelectionPlan | null {
  const type = schema.getQueryType();
  if (operation.operation !== OperationTypeNode.QUERY || !type || !isSupported(document)) {
    return null;
  }
  const definitions = document.definitions.filter((one) => one.kind === Kind.FRAGMENT_DEFINITION);
  const fragments = Object.fromEntries(definitions.map((one) => [one.name.value, one]));
  const source = { schema, fragments, operation, rootValue: undefined };
  const { fields } = collectFields(schema, fragments, noVariables, type, operation.selectionSet);
  return planFields(source, type, fields);
}

/** False for a document with directives, or with introspection other than `__typename`. */
function isSupported(document: DocumentNode): boolean {
  const others: ASTNode[] = [];
  visit(document, {
    Directive: (node) => void others.push(node),
    Field: (node) => void (/^__(?!typename$)/.test(node.name.value) && others.push(node)),
  });
  return others.length === 0;
}

/** Without directives the selected fields do not depend on variables. */
const noVariables = {};

/** Plans the fields of an object type, by their response names. */
const planFields = (source: Source, type: GraphQLObjectType, fields: Map<string, FieldNode[]>) =>
  [...fields].flatMap(([name, nodes]) => planField(source, type, name, nodes) ?? []);

function planField(
  source: Source,
  parentType: GraphQLObjectType,
  responseName: string,
  nodes: FieldNode[],
): FieldPlan | null {
  const [node] = nodes;
  const fieldName = node?.name.value ?? '';
  const isTypeName = fieldName === TypeNameMetaFieldDef.name;
  const field = isTypeName ? TypeNameMetaFieldDef : parentType.getFields()[fieldName];
  if (!field || !node) return null;
  const { schema, fragments } = source;
  // A selection is planned when the first object of its type is completed.
  const selectionOn = memoize((type: GraphQLObjectType) => {
    const { fields } = collectSubFields(schema, fragments, noVariables, type, nodes);
    return planFields(source, type, fields);
  });
  return {
    ...planValue(field.type, selectionOn),
    responseName,
    label: `${JSON.stringify(responseName)}:`,
    info: { ...source, fieldName, fieldNodes: nodes, returnType: field.type, parentType },
    resolve: field.resolve ?? defaultFieldResolver,
    readArguments: createArgumentReader(field, node),
  };
}
