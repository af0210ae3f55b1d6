import {
  BREAK,
  type DirectiveNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLError,
  Kind,
  Lexer,
  type OperationDefinitionNode,
  type ParseOptions,
  parse,
  type SelectionSetNode,
  Source,
  TokenKind,
  visit,
} from 'graphql';
import { resultOr } from '../../lib/json.ts';
import { memoize } from '../../lib/lazy.ts';
import { documentFault } from '../http/request-fault.ts';

interface Limit {
  readonly most: number;
  /** The counted items, as messages and documentation name them. */
  readonly what: string;
}

/** Limits of a document. Fragments count as often as they are spread. */
export const documentLimits = {
  tokens: { most: 5_000, what: 'tokens' },
  nesting: { most: 60, what: 'brackets inside one another' },
  fragments: { most: 100, what: 'fragments' },
  fragmentChain: { most: 15, what: 'fragments inside one another' },
  operations: { most: 20, what: 'operations' },
  variables: { most: 100, what: 'variables of one operation' },
  depth: { most: 20, what: 'fields inside one another' },
  fields: { most: 1_000, what: 'fields of one operation' },
  sameField: { most: 100, what: 'times the same field in one selection' },
  rootFields: { most: 60, what: 'root fields of one operation' },
  aliases: { most: 60, what: 'aliases of one operation' },
  directives: { most: 100, what: 'directives of one operation' },
  directivesHere: { most: 5, what: 'directives at one place' },
  listItems: { most: 500, what: 'items of one list' },
} as const satisfies Record<string, Limit>;

/** Limits of the JSON in a body or in a parameter of a GET. */
export const jsonLimits = {
  depth: { most: 20, what: 'objects and lists inside one another' },
  keys: { most: 5_000, what: 'keys' },
  listItems: { most: 10_000, what: 'items of one list' },
} as const satisfies Record<string, Limit>;

/** The message for an exceeded limit; `count` is null when counting stopped early. */
const excessSentence = (subject: string, { most, what }: Limit, count: number | null): string =>
  `${subject} may have at most ${most} ${what}; this one has ${count === null ? 'more' : count}.`;

/** Members of every JavaScript object, and members with a special meaning. The schema uses none of them. */
const reserved: ReadonlySet<string> = new Set([
  ...Object.getOwnPropertyNames(Object.prototype),
  'prototype',
  'then',
  'toJSON',
]);

const isReserved = (name: string): boolean => reserved.has(name);

const reservedSentence = (name: string): string =>
  `"${name}" is a reserved name; choose another one.`;

/**
 * Parses a document within the limits of tokens and nested brackets. They are counted first, because the parser recurses
 * as deep as the brackets are nested.
 *
 * @throws GraphQLError for a document that is too large or invalid.
 */
export function parseWithinLimits(text: string | Source, options?: ParseOptions): DocumentNode {
  const source = typeof text === 'string' ? new Source(text) : text;
  checkTokens(source);
  return parse(source, options);
}

function checkTokens(source: Source): void {
  const lexer = new Lexer(source);
  let open = 0;
  // At an invalid character the count ends too; the parser reports it. The lexer skips comments, which cost as little as blanks.
  const advance = () => resultOr(() => lexer.advance().kind, TokenKind.EOF);
  for (let count = 1; advance() !== TokenKind.EOF; count += 1) {
    open += depthOf[lexer.token.kind] ?? 0;
    const flaw = excess('tokens', count, null) ?? excess('nesting', open, null);
    if (flaw) throw flaw;
  }
}

/** Opening brackets count 1, closing ones -1. */
const depthOf: Readonly<Partial<Record<TokenKind, number>>> = {
  ...{ [TokenKind.BRACE_L]: 1, [TokenKind.BRACKET_L]: 1, [TokenKind.PAREN_L]: 1 },
  ...{ [TokenKind.BRACE_R]: -1, [TokenKind.BRACKET_R]: -1, [TokenKind.PAREN_R]: -1 },
};

/**
 * Why a document is refused before validation, whose rules can take much more time than the size of the document; null
 * when it is within all limits. The parser has checked the nesting of brackets.
 */
export function findDocumentFlaw(document: DocumentNode): GraphQLError | null {
  const { definitions } = document;
  const fragments = definitions.filter((one) => one.kind === Kind.FRAGMENT_DEFINITION);
  const operations = definitions.filter((one) => one.kind === Kind.OPERATION_DEFINITION);
  // First, because the other checks follow fragments recursively.
  return (
    excess('fragments', fragments.length) ??
    excess('operations', operations.length) ??
    flawInText(document) ??
    flawInSize(operations, fragments)
  );
}

/** Checks names and lists, each once, however often its fragment is spread. */
function flawInText(document: DocumentNode): GraphQLError | null {
  let flaw: GraphQLError | null = null;
  const note = (found: GraphQLError | null) => {
    flaw = found;
    return found ? BREAK : undefined;
  };
  const named = (name: string | undefined) =>
    name !== undefined && isReserved(name)
      ? documentFault('INVALID_REQUEST', reservedSentence(name))
      : null;
  visit(document, {
    FragmentDefinition: (node) => note(named(node.name.value)),
    OperationDefinition: (node) =>
      note(named(node.name?.value) ?? excess('variables', node.variableDefinitions?.length ?? 0)),
    VariableDefinition: (node) => note(named(node.variable.name.value)),
    Field: (node) => note(named(node.alias?.value)),
    ListValue: (node) => note(excess('listItems', node.values.length)),
  });
  return flaw;
}

/** Sums stop here, far above all limits, because repeated doubling would exceed the range of numbers. */
const maxCount = 1_000_000;
const sumOf = (one: number, other: number) => Math.min(maxCount, one + other);

/** How the sizes of two parts are combined. They are checked in this order. */
const combined = {
  depth: Math.max,
  fragmentChain: Math.max,
  fields: sumOf,
  sameField: Math.max,
  aliases: sumOf,
  rootFields: sumOf,
  directives: sumOf,
  directivesHere: Math.max,
} as const;

const measures = Object.keys(combined) as (keyof typeof combined)[];

/**
 * The size of an operation or a fragment, by the limits of the same names. Spread fragments count as often as they are
 * spread. `rootFields` are those of its own level.
 */
type Size = Readonly<Record<(typeof measures)[number], number>>;

function flawInSize(
  operations: readonly OperationDefinitionNode[],
  fragments: readonly FragmentDefinitionNode[],
): GraphQLError | null {
  const sizeOf = createSizeOf(fragments);
  for (const part of [...operations, ...fragments]) {
    const size = sizeOf(part);
    for (const measure of measures) {
      if (measure === 'rootFields' && part.kind === Kind.FRAGMENT_DEFINITION) continue;
      const flaw = excess(measure, size[measure]);
      if (flaw) return flaw;
    }
  }
  return null;
}

const nothing = Object.fromEntries(measures.map((measure) => [measure, 0])) as Size;

type Sum = { -readonly [Name in keyof Size]: Size[Name] };

/**
 * Measures parts of a document. Each fragment is measured once, so the time is linear even if fragments multiply. The
 * recursion is as deep as brackets and fragments are nested, which earlier checks limit.
 */
function createSizeOf(fragments: readonly FragmentDefinitionNode[]) {
  const byName = new Map(fragments.map((one) => [one.name.value, one]));
  // Validation refuses a cycle; here the recursion only has to end.
  const ofFragment = memoize((one: FragmentDefinitionNode) => ofDefinition(one), nothing);

  const ofSelections = ({ selections }: SelectionSetNode): Size => {
    const sum: Sum = { ...nothing };
    const times = new Map<string, number>();
    for (const selection of selections) {
      addDirectives(sum, selection.directives);
      if (selection.kind === Kind.FIELD) {
        const inside = selection.selectionSet ? ofSelections(selection.selectionSet) : nothing;
        const { value } = selection.alias ?? selection.name;
        times.set(value, (times.get(value) ?? 0) + 1);
        sum.aliases += selection.alias ? 1 : 0;
        sum.rootFields += 1;
        add(sum, { ...inside, rootFields: 0, depth: inside.depth + 1, fields: inside.fields + 1 });
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        add(sum, ofSelections(selection.selectionSet));
      } else {
        const fragment = byName.get(selection.name.value);
        const spread = fragment ? ofFragment(fragment) : nothing;
        add(sum, { ...spread, fragmentChain: spread.fragmentChain + 1 });
      }
    }
    sum.sameField = Math.max(sum.sameField, ...times.values());
    return sum;
  };

  const ofDefinition = (one: OperationDefinitionNode | FragmentDefinitionNode): Size => {
    const size: Sum = { ...ofSelections(one.selectionSet) };
    addDirectives(size, one.directives);
    for (const variable of one.variableDefinitions ?? []) addDirectives(size, variable.directives);
    return size;
  };

  return ofDefinition;
}

function add(sum: Sum, part: Partial<Size>): void {
  for (const name of measures) sum[name] = combined[name](sum[name], part[name] ?? 0);
}

const addDirectives = (sum: Sum, { length }: readonly DirectiveNode[] = []): void =>
  add(sum, { directives: length, directivesHere: length });

/** The error for a count above its limit; `shown` is null when counting stopped early. */
function excess(
  name: keyof typeof documentLimits,
  count: number,
  shown: number | null = count,
): GraphQLError | null {
  const limit = documentLimits[name];
  return count > limit.most
    ? documentFault('DOCUMENT_TOO_LARGE', excessSentence('A document', limit, shown))
    : null;
}

/** Why the JSON of a request is refused: a reserved key, or an exceeded limit. Null when there is no reason. */
export function findJsonFlaw(value: unknown): string | null {
  // The loop also visits the values that it adds.
  const nested = [value];
  let keys = 0;
  for (const one of nested) {
    if (Array.isArray(one)) {
      if (one.length > jsonLimits.listItems.most) return jsonExcess(jsonLimits.listItems);
      for (const item of one) if (typeof item === 'object') nested.push(item);
    } else if (one !== null && typeof one === 'object') {
      for (const [key, member] of Object.entries(one)) {
        if (isReserved(key)) return reservedSentence(key);
        keys += 1;
        if (typeof member === 'object') nested.push(member);
      }
      if (keys > jsonLimits.keys.most) return jsonExcess(jsonLimits.keys);
    }
  }
  return null;
}

export const jsonExcess = (limit: (typeof jsonLimits)[keyof typeof jsonLimits]): string =>
  excessSentence('The JSON of a request', limit, null);
