import {
  type DirectiveNode,
  type DocumentNode,
  type OperationDefinitionNode,
  OperationTypeNode,
  visit,
} from 'graphql';
import { memoize } from '../../lib/lazy.ts';

/** Whether an `accept` header lists one of `types` literally; weights are ignored. */
export const accepts = (accept: string, types: readonly string[]): boolean =>
  accept.split(',').some((one) => types.includes(one.replace(/;.*$/, '').trim().toLowerCase()));

const singleResponseTypes = ['application/json', 'application/graphql-response+json'] as const;

/** The media types of a response in one part. */
export type SingleResponseType = (typeof singleResponseTypes)[number];

/** The previous header and its result: most clients send the same one. */
let previous: { readonly accept: string; readonly type: SingleResponseType | null } | null = null;

/**
 * The media type of a response in one part for a client that sends this `accept` header. Like Yoga it takes the first that
 * matches and ignores weights. Null when the client accepts none of them.
 */
export function singleResponseTypeFor(header: string | null): SingleResponseType | null {
  const accept = header || '*/*';
  if (previous?.accept !== accept) previous = { accept, type: firstMatch(accept) };
  return previous.type;
}

function firstMatch(accept: string): SingleResponseType | null {
  for (const one of accept.replace(/\s/g, '').toLowerCase().split(',')) {
    const [range = '', ...parameters] = one.split(';');
    const charset = parameters.find((parameter) => parameter.includes('charset='));
    if (charset !== undefined && charset !== 'charset=utf-8') continue;
    const match = singleResponseTypes.find((type) => isInRange(type, range));
    if (match) return match;
  }
  return null;
}

function isInRange(type: SingleResponseType, range: string): boolean {
  const [main, sub] = type.split('/');
  const [rangeMain, rangeSub] = range.split('/');
  return (rangeMain === '*' || rangeMain === main) && (rangeSub === '*' || rangeSub === sub);
}

/** Every `@defer` and `@stream` of the document, which make its response one of several parts. */
export const incrementalDirectives = memoize((document: DocumentNode): readonly DirectiveNode[] => {
  const found: DirectiveNode[] = [];
  visit(document, { Directive: (node) => void (isIncremental(node) && found.push(node)) });
  return found;
});

const isIncremental = ({ name }: DirectiveNode): boolean => /^(?:defer|stream)$/.test(name.value);

export const withoutIncrementalDirectives = (document: DocumentNode): DocumentNode =>
  visit(document, { Directive: (node) => (isIncremental(node) ? null : undefined) });

/** Whether the response of an operation has one part, and not a stream of them. */
export const hasSingleResult = (
  { operation }: OperationDefinitionNode,
  document: DocumentNode,
): boolean =>
  operation !== OperationTypeNode.SUBSCRIPTION && incrementalDirectives(document).length === 0;
