import { type ASTNode, BREAK, type GraphQLError, Kind, parse, visit } from 'graphql';

/**
 * The path of a refused input value: `["i", "registrant", "email"]` in the variable `$i`, or `["names", "0"]` in the
 * arguments of a field. Null for other errors.
 */
export function inputPathOf(error: GraphQLError): readonly string[] | null {
  const [node] = error.nodes ?? [];
  if (node?.kind === Kind.VARIABLE_DEFINITION) {
    return variablePath(node.variable.name.value, error.message);
  }
  return node && partsOfArguments.has(node.kind) ? argumentPath(node) : null;
}

/** graphql-js reports the path within a variable in its message only: `… at "i.hosts[0]"; …`. */
function variablePath(name: string, sentence: string): readonly string[] {
  const below = new RegExp(` at "${name}((?:\\.\\w+|\\[\\d+\\])*)"; `).exec(sentence)?.[1] ?? '';
  return [name, ...below.split(/[.[\]]+/).filter((part) => part !== '')];
}

const partsOfArguments: ReadonlySet<string> = new Set([
  ...[Kind.STRING, Kind.INT, Kind.FLOAT, Kind.BOOLEAN, Kind.ENUM, Kind.NULL],
  ...[Kind.LIST, Kind.OBJECT, Kind.OBJECT_FIELD, Kind.ARGUMENT],
]);

/** The names of the argument and members, and the indexes of lists, that lead to a node of the document. */
function argumentPath({ kind, loc }: ASTNode): readonly string[] | null {
  if (!loc) return null;
  const found: string[] = [];
  visit(parse(loc.source), {
    enter(node, _key, parent, path, ancestors) {
      if (node.kind !== kind || node.loc?.start !== loc.start) return undefined;
      const nodes = [...ancestors, parent, node];
      for (const [at, key] of path.entries()) {
        const reached = nodes[at + 1];
        if (path[at - 1] === 'values') found.push(String(key));
        else if (reached && 'kind' in reached && isNamedPart(reached))
          found.push(reached.name.value);
      }
      return BREAK;
    },
  });
  return found.length > 0 ? found : null;
}

const isNamedPart = (node: ASTNode) =>
  node.kind === Kind.ARGUMENT || node.kind === Kind.OBJECT_FIELD;
