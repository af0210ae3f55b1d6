import { type DocumentNode, Lexer, type ParseOptions, parse, Source, TokenKind } from 'graphql';
import { documentFault } from '../errors/request-fault.ts';
import { documentLimits, excessSentence } from './limits.ts';

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
  const { tokens, nesting } = documentLimits;
  const lexer = new Lexer(source);
  let open = 0;
  // The lexer skips comments, which cost as little as blanks.
  for (let count = 1; advance(lexer) !== TokenKind.EOF; count += 1) {
    if (count > tokens.most) throw tooLarge(excessSentence('A document', tokens, null));
    if (opening.has(lexer.token.kind)) open += 1;
    if (closing.has(lexer.token.kind)) open -= 1;
    if (open > nesting.most) throw tooLarge(excessSentence('A document', nesting, null));
  }
}

/** Returns EOF at an invalid character too; the parser reports it. */
function advance(lexer: Lexer): TokenKind {
  try {
    return lexer.advance().kind;
  } catch {
    return TokenKind.EOF;
  }
}

const opening: ReadonlySet<TokenKind> = new Set([
  TokenKind.BRACE_L,
  TokenKind.BRACKET_L,
  TokenKind.PAREN_L,
]);
const closing: ReadonlySet<TokenKind> = new Set([
  TokenKind.BRACE_R,
  TokenKind.BRACKET_R,
  TokenKind.PAREN_R,
]);

const tooLarge = (message: string) => documentFault('DOCUMENT_TOO_LARGE', message);
