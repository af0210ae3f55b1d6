import {
  type ASTNode,
  type DocumentNode,
  defaultFieldResolver,
  type FieldNode,
  type GraphQLObjectType,
  type GraphQLSchema,
  isAbstractType,
  Kind,
  type NamedTypeNode,
  type OperationDefinitionNode,
  OperationTypeNode,
  type SelectionSetNode,
  TypeNameMetaFieldDef,
  visit,
} from 'graphql';
import { memoize } from '../../../lib/lazy.ts';
import { createArgumentReader } from '../values/argument-values.ts';
import { planValue } from './complete.ts';
import type { FieldPlan, SelectionPlan } from './plan.ts';

type Source = Pick<FieldPlan['info'], 'schema' | 'fragments' | 'operation' | 'rootValue'>;

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
  return planSelection(source, type, [operation.selectionSet]);
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

/** Plans the fields that selection sets select on an object type, in the order of their first nodes. */
function planSelection(
  source: Source,
  type: GraphQLObjectType,
  sets: readonly SelectionSetNode[],
): SelectionPlan {
  const { schema, fragments } = source;
  const nodesByName = new Map<string, FieldNode[]>();
  const visited = new Set<ASTNode>();

  const isOn = (condition: NamedTypeNode | undefined): boolean => {
    const conditionType = condition ? schema.getType(condition.name.value) : type;
    if (conditionType === type) return true;
    return isAbstractType(conditionType) && schema.isSubType(conditionType, type);
  };
  const collect = ({ selections }: SelectionSetNode): void => {
    for (const node of selections) {
      if (node.kind === Kind.FIELD) {
        const name = (node.alias ?? node.name).value;
        const nodes = nodesByName.get(name) ?? [];
        nodesByName.set(name, nodes);
        nodes.push(node);
        continue;
      }
      const fragment = node.kind === Kind.INLINE_FRAGMENT ? node : fragments[node.name.value];
      if (!fragment || visited.has(fragment)) continue;
      visited.add(fragment);
      if (isOn(fragment.typeCondition)) collect(fragment.selectionSet);
    }
  };

  for (const set of sets) collect(set);
  return [...nodesByName].flatMap(([name, nodes]) => planField(source, type, name, nodes) ?? []);
}

function planField(
  source: Source,
  parentType: GraphQLObjectType,
  responseName: string,
  nodes: readonly FieldNode[],
): FieldPlan | null {
  const [node] = nodes;
  const fieldName = node?.name.value ?? '';
  const isTypeName = fieldName === TypeNameMetaFieldDef.name;
  const field = isTypeName ? TypeNameMetaFieldDef : parentType.getFields()[fieldName];
  if (!field || !node) return null;
  const sets = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
  // A selection is planned when the first object of its type is completed.
  const selectionOn = memoize((type: GraphQLObjectType) => planSelection(source, type, sets));
  return {
    ...planValue(field.type, selectionOn),
    responseName,
    label: `${JSON.stringify(responseName)}:`,
    info: { ...source, fieldName, fieldNodes: nodes, returnType: field.type, parentType },
    resolve: field.resolve ?? defaultFieldResolver,
    readArguments: createArgumentReader(field, node),
  };
}
