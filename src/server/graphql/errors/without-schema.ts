import type { ASTNode, GraphQLError } from 'graphql';

/** Optional parts of messages of graphql-js that name a type. */
const typeParts: readonly RegExp[] = [
  / on type "[^"]*"(?=\.$)/,
  / by type "[^"]*"(?=\.$)/,
  / of type "[^"]*"(?= must have a selection)/,
  / since type "[^"]*" has no subfields/,
  /(?<= on field ")\w+\.(?=\w+")/,
];

/**
 * The message of a document or variable error for clients that may not see the schema: it contains no names but those of
 * the document.
 *
 * `inputPath` is the path of the value, for an error about a value.
 */
export function withoutSchema(
  sentence: string,
  { nodes }: GraphQLError,
  inputPath: readonly string[] | null,
): string {
  const own = sentence.replace(/ Did you mean .*\?$/s, '');
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
  const document = loc?.source.body ?? '';
  const code = document.replace(/"""[\s\S]*?"""|"(?:\\.|[^"\\\n])*"|#.*/g, ' ');
  const names = new Set(code.match(/[A-Za-z_]\w*/g));
  return (name) => names.has(name);
}

function placeOf(node: ASTNode, inputPath: readonly string[] | null): string {
  if (inputPath) return `The value at "${inputPath.join('.')}"`;
  return 'name' in node && node.name ? `The use of "${node.name.value}"` : 'The document';
}
