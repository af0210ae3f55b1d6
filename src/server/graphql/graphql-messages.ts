import {
  type ASTNode,
  type ASTVisitFn,
  BREAK,
  type GraphQLError,
  type GraphQLSchema,
  isInputObjectType,
  Kind,
  parse,
  printSchema,
  type VariableDefinitionNode,
  visit,
} from 'graphql';
import { memoize } from '../../lib/lazy.ts';

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

/**
 * The message of an error about a document, a variable or an argument, without the values that it quotes. With
 * a `shownSchema` it may contain names of that schema that are not in the document.
 *
 * `inputPath` is the path of the value, for an error about a value.
 */
export function safeMessage(
  message: string,
  error: GraphQLError,
  inputPath: readonly string[] | null,
  shownSchema: GraphQLSchema | null,
): string {
  const own = withoutVariable(message, error);
  const oneOf = ofOneOf.exec(own);
  if (oneOf)
    return `Exactly one field of this input must be set, and not to null${membersOf(oneOf, shownSchema)}.`;
  const sentence = withoutValues(own);
  return shownSchema
    ? withoutHidden(sentence, shownSchema)
    : withoutSchema(sentence, error, inputPath);
}

/** The message without suggestions that the schema does not have. */
function withoutHidden(sentence: string, shownSchema: GraphQLSchema): string {
  const [own = '', suggestions = ''] = sentence.split(' Did you mean ', 2);
  const names = namesOf(shownSchema);
  return namesIn(suggestions).every((name) => names.has(name)) ? sentence : own;
}

const namesOf = memoize(
  (schema: GraphQLSchema): ReadonlySet<string> =>
    new Set(
      printSchema(schema)
        .replace(/"""[\s\S]*?"""/g, '')
        .match(/\w+/g),
    ),
);

/** Messages about the fields of a `@oneOf` input, whose type all but that of a null in a variable name. */
const ofOneOf =
  /(?:^OneOf Input Object "(\w+)" must specify exactly one key|Exactly one key must be specified for OneOf type "(\w+)"|Field "(?:(\w+)\.)?\w+" must be non-null)\.$/;

/** The names of the fields, behind a colon. */
function membersOf(match: RegExpExecArray, shownSchema: GraphQLSchema | null): string {
  const type = shownSchema?.getType(match.slice(1).find(Boolean) ?? '');
  return isInputObjectType(type) ? `: ${Object.keys(type.getFields()).join(', ')}` : '';
}

/** Optional parts of messages of graphql-js that name a type. */
const typeParts: readonly RegExp[] = [
  / on type "[^"]*"(?=\.$)/,
  / by type "[^"]*"(?=\.$)/,
  / of type "[^"]*"(?= must have a selection)/,
  / since type "[^"]*" has no subfields/,
  /(?<= on field ")\w+\.(?=\w+")/,
];

/** The message for clients that may not see the schema: it contains no names but those of the document. */
function withoutSchema(
  sentence: string,
  { nodes }: GraphQLError,
  inputPath: readonly string[] | null,
): string {
  const own = sentence.split(' Did you mean ', 1).join();
  const [node] = nodes ?? [];
  // Without a node the error is about the request, or about a document that cannot be parsed.
  if (!node) return own;
  const isOwn = isNameOf(node);
  if (namesIn(own).every(isOwn)) return own;
  const short = typeParts.reduce((text, part) => text.replace(part, ''), own);
  if (namesIn(short).every(isOwn)) return short;
  return `${placeOf(node, inputPath)} does not fit the schema.`;
}

/** The names in quotation marks, and the type in "DateTime cannot represent …". */
function namesIn(sentence: string): readonly string[] {
  const quoted = sentence.match(/"[^"]*"/g) ?? [];
  const type = /\b(\w+) cannot represent\b/.exec(sentence)?.[1] ?? '';
  return [...quoted, ...(ofTheLanguage.has(type) ? [] : [type])].flatMap(
    (text) => text.match(/[A-Za-z_]\w*/g) ?? [],
  );
}

const ofTheLanguage: ReadonlySet<string> = new Set(['Int', 'Float', 'String', 'Boolean', 'ID']);

/** Whether a name is in the node's document; strings and comments there could hold a list of guesses. */
function isNameOf({ loc }: ASTNode): (name: string) => boolean {
  const code = loc?.source.body.replace(/"""[\s\S]*?"""|"(?:\\.|[^"\\\n])*"|#.*/g, ' ');
  const names = new Set(code?.match(/[A-Za-z_]\w*/g));
  return (name) => names.has(name);
}

function placeOf(node: ASTNode, inputPath: readonly string[] | null): string {
  if (inputPath) return `The value at "${inputPath.join('.')}"`;
  return 'name' in node && node.name ? `The use of "${node.name.value}"` : 'The document';
}

/** Characters; a longer value may be a secret. */
const maxShownLength = 7;
/** The message of `String` for a value of another type. Auth codes are strings, and a short number may be one. */
const secretType = 'cannot represent a non string value';

/** The message of an invalid variable without its value, which graphql-js quotes between the variable and the reason. */
function withoutVariable(message: string, { originalError }: GraphQLError): string {
  const variable = /Variable "\$\w+"(?= got invalid value )/.exec(message)?.[0];
  if (variable === undefined) return message;
  if (!originalError || !message.endsWith(`; ${originalError.message}`)) {
    return `${variable} is not valid.`;
  }
  const { message: reason } = originalError;
  const before = message.slice(0, -reason.length);
  const place = / at "[\w.[\]]+"(?=; $)/.exec(before)?.[0] ?? '';
  return `${variable} is not valid${place}: ${reason}`;
}

/** The message without the values that graphql-js quotes, because errors are logged and displayed. */
const withoutValues = (message: string): string =>
  message
    .replace(
      /(\bcannot represent [\w -]+|\bUnexpected \w+|\bfound String)(:?) (.+?)(\.?)$/s,
      (_all, what: string, colon: string, value: string, end: string) =>
        value.length > maxShownLength || what === secretType
          ? `${what}.`
          : `${what}${colon} ${value}${end}`,
    )
    .replace(/, found (.+?)\.?$/s, (all, value: string) =>
      value.startsWith('String') || value.length <= maxShownLength ? all : '.',
    );
