import { type ASTNode, BREAK, type GraphQLError, Kind, parse, visit } from 'graphql';

/**
 * The path of a refused input value: `["i", "registrant", "email"]` in the variable `$i`, or `["names", "0"]` in the
 * arguments of a field. Null for other errors.
 */
export function inputPathOf(error: GraphQLError): readonly string[] | null {
  const node = error.nodes?.[0];
  if (node?.kind === Kind.VARIABLE_DEFINITION) {
    return variablePath(node.variable.name.value, error.message);
  }
  return node && partsOfArguments.has(node.kind) ? argumentPath(node) : null;
}

/** graphql-js reports the path within a variable in its message only: `… at "i.hosts[0]"; …`. */
function variablePath(name: string, sentence: string): readonly string[] {
  const below = new RegExp(` at "${name}((?:\\.\\w+|\\[\\d+\\])*)"; `).exec(sentence)?.[1] ?? '';
  return [name, ...below.split(/[.[\]]/).filter((part) => part !== '')];
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

/**
 * The names of the argument, or of the variable with a default value, and of members, and the indexes of lists, that lead to
 * a node of the document.
 */
function argumentPath({ loc }: ASTNode): readonly string[] | null {
  if (!loc) return null;
  const found: string[] = [];
  visit(parse(loc.source), {
    enter(node, _key, parent, path, ancestors) {
      // No node around a part of an argument starts where the part starts.
      if (node.loc?.start !== loc.start) return undefined;
      for (const [at, reached] of [...ancestors, parent, node].entries()) {
        if (path[at - 2] === 'values') found.push(String(path[at - 1]));
        else if (reached && 'kind' in reached) found.push(...nameOf(reached));
      }
      return BREAK;
    },
  });
  return found;
}

/** The name of a part that is a step of the path. */
function nameOf(node: ASTNode): readonly string[] {
  if (node.kind === Kind.VARIABLE_DEFINITION) return [node.variable.name.value];
  return node.kind === Kind.ARGUMENT || node.kind === Kind.OBJECT_FIELD ? [node.name.value] : [];
}
