import {
  type ASTNode,
  type ASTVisitFn,
  BREAK,
  type GraphQLError,
  Kind,
  parse,
  type VariableDefinitionNode,
  visit,
} from 'graphql';

/**
 * The path of a refused input value in the arguments of a field: `["input", "registrant", "email"]`, or `["names", "0"]`. That
 * of a variable begins where the variable is first used. Null for other errors.
 */
export function inputPathOf(error: GraphQLError): readonly string[] | null {
  const node = error.nodes?.[0];
  if (node?.kind === Kind.VARIABLE_DEFINITION) {
    if (!isAboutValue.test(error.message)) return null;
    return [...usePath(node), ...pathInVariable(node.variable.name.value, error.message)];
  }
  return node && partsOfArguments.has(node.kind) ? argumentPath(node) : null;
}

/** Other messages about a variable are about the document, such as one that declares it and has no use. */
const isAboutValue = /^Variable "\$\w+" (?:got invalid value |of required type |of non-null type )/;

/** graphql-js reports the path within a variable in its message only: `… at "i.hosts[0]"; …`. */
function pathInVariable(name: string, sentence: string): readonly string[] {
  const below = new RegExp(` at "${name}((?:\\.\\w+|\\[\\d+\\])*)"; `).exec(sentence)?.[1] ?? '';
  return below.split(/[.[\]]/).filter((part) => part !== '');
}

const partsOfArguments: ReadonlySet<string> = new Set([
  Kind.STRING,
  Kind.INT,
  Kind.FLOAT,
  Kind.BOOLEAN,
  Kind.ENUM,
  Kind.NULL,
  Kind.LIST,
  Kind.OBJECT,
  Kind.OBJECT_FIELD,
  Kind.ARGUMENT,
]);

/** The path of the first use of a variable as an argument, or in one; the name of the variable when it has no use. */
function usePath({ variable, loc }: VariableDefinitionNode): readonly string[] {
  const { value: name } = variable.name;
  let found: readonly string[] | null = null;
  if (loc) {
    visit(parse(loc.source), {
      // The variable of another operation is another one.
      OperationDefinition: (node) => (encloses(node, loc) ? undefined : false),
      VariableDefinition: () => false,
      Variable(...visited) {
        if (visited[0].name.value !== name) return undefined;
        found = pathOf(visited);
        return BREAK;
      },
    });
  }
  return found ?? [name];
}

/** The path of a node of the document; the part below a variable with a default value is below the use of the variable. */
function argumentPath({ loc }: ASTNode): readonly string[] | null {
  if (!loc) return null;
  let found: readonly string[] = [];
  visit(parse(loc.source), {
    enter(...visited) {
      // No node around a part of an argument starts where the part starts.
      if (visited[0].loc?.start !== loc.start) return undefined;
      found = pathOf(visited);
      return BREAK;
    },
  });
  return found;
}

const encloses = ({ loc: outer }: ASTNode, inner: NonNullable<ASTNode['loc']>): boolean =>
  outer !== undefined && outer.start <= inner.start && inner.end <= outer.end;

/** The names of the argument and of members, and the indexes of lists, that lead to a node. */
function pathOf([node, _key, parent, path, ancestors]: Parameters<
  ASTVisitFn<ASTNode>
>): readonly string[] {
  const found: string[] = [];
  for (const [at, reached] of [...ancestors, parent, node].entries()) {
    if (path[at - 2] === 'values') found.push(String(path[at - 1]));
    else if (reached && 'kind' in reached) found.push(...nameOf(reached));
  }
  return found;
}

/** The name of a part that is a step of the path. */
function nameOf(node: ASTNode): readonly string[] {
  if (node.kind === Kind.VARIABLE_DEFINITION) return usePath(node);
  return node.kind === Kind.ARGUMENT || node.kind === Kind.OBJECT_FIELD ? [node.name.value] : [];
}
