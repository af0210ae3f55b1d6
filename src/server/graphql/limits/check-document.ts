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
import { memoize } from '../../../lib/lazy.ts';
import { resultOr } from '../../../lib/result-or.ts';
import { documentFault } from '../../http/request-fault.ts';
import { documentLimits, excessSentence, isReserved, reservedSentence } from './limits.ts';

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
