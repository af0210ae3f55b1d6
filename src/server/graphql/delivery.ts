import {
  type DirectiveNode,
  type DocumentNode,
  type OperationDefinitionNode,
  OperationTypeNode,
  visit,
} from 'graphql';
import { memoize } from '../../lib/lazy.ts';
import { isAcceptable, rangeFor, readAccept, specificityOf } from '../http/accept.ts';

const multipart = 'multipart/mixed';

/** How a response of several parts is sent. */
export interface IncrementalDelivery {
  readonly type: typeof multipart | 'text/event-stream';
  /** The parameter of the media type that names a form; null for the older form without a parameter. */
  readonly form: 'incrementalSpec=v0.2' | 'deferSpec=20220824' | null;
}

/** That of a subscription. */
export const eventStreamDelivery: IncrementalDelivery = { type: 'text/event-stream', form: null };

/**
 * The delivery of several parts that an `accept` header prefers: by weight, then `multipart/mixed` before an event stream, then by order. Null
 * when the header names none in a form that the gateway has.
 */
export function incrementalDeliveryFor(accept: string | null): IncrementalDelivery | null {
  const offers = readAccept(accept ?? '').flatMap(({ type, parameters, weight }) => {
    const delivery = deliveryOf(type, parameters);
    return delivery && weight > 0 ? [{ delivery, weight }] : [];
  });
  // The sort is stable.
  const [best] = offers.toSorted(
    (a, b) => b.weight - a.weight || rankOf(a.delivery) - rankOf(b.delivery),
  );
  return best?.delivery ?? null;
}

const rankOf = ({ type }: IncrementalDelivery): number => (type === multipart ? 0 : 1);

function deliveryOf(
  type: string,
  parameters: ReadonlyMap<string, string>,
): IncrementalDelivery | null {
  if (type === 'text/event-stream') return eventStreamDelivery;
  if (type !== multipart) return null;
  const newer = parameters.get('incrementalspec');
  const older = parameters.get('deferspec');
  if (newer === 'v0.2') return { type, form: 'incrementalSpec=v0.2' };
  if (newer !== undefined) return null;
  if (older === '20220824') return { type, form: 'deferSpec=20220824' };
  return older === undefined ? { type, form: null } : null;
}

/**
 * The media types that Yoga may choose, because it reads no weights and no parameters: the delivery of several parts, the event
 * stream of a subscription, and the type of a response in one part. Empty when the client accepts none.
 */
export function acceptForYoga(accept: string | null): string {
  const types = [
    incrementalDeliveryFor(accept)?.type,
    isAcceptable(accept, 'text/event-stream') && 'text/event-stream',
    singleResponseTypeFor(accept),
  ];
  return types.filter(Boolean).join();
}

const singleResponseTypes = ['application/json', 'application/graphql-response+json'] as const;

/** The media types of a response in one part. */
export type SingleResponseType = (typeof singleResponseTypes)[number];

/** The previous header and its result: most clients send the same one. */
let previous: { readonly accept: string; readonly type: SingleResponseType | null } | null = null;

/**
 * The media type of a response in one part for a client that sends this `accept` header: the one with the highest weight, then
 * the one that is named more specifically, then the first one. Null when the client accepts none of them.
 */
export function singleResponseTypeFor(header: string | null): SingleResponseType | null {
  const accept = header || '*/*';
  if (previous?.accept !== accept) previous = { accept, type: bestType(accept) };
  return previous.type;
}

function bestType(accept: string): SingleResponseType | null {
  const ranges = readAccept(accept);
  const offers = singleResponseTypes.flatMap((type) => {
    const range = rangeFor(ranges, type);
    return range && range.weight > 0 ? [{ type, range }] : [];
  });
  // The sort is stable.
  const [best] = offers.toSorted(
    ({ range: a }, { range: b }) =>
      b.weight - a.weight ||
      specificityOf(b) - specificityOf(a) ||
      ranges.indexOf(a) - ranges.indexOf(b),
  );
  return best?.type ?? null;
}

/** Every `@defer` and `@stream` of the document, which make its response one of several parts. */
export const incrementalDirectives = memoize((document: DocumentNode): readonly DirectiveNode[] => {
  const found: DirectiveNode[] = [];
  visit(document, { Directive: (node) => void (isIncremental(node) && found.push(node)) });
  return found;
});

export const isIncremental = ({ name }: DirectiveNode): boolean =>
  /^(?:defer|stream)$/.test(name.value);

export const withoutIncrementalDirectives = (document: DocumentNode): DocumentNode =>
  visit(document, { Directive: (node) => (isIncremental(node) ? null : undefined) });

/** Whether the response of an operation has one part, and not a stream of them. */
export const hasSingleResult = (
  { operation }: OperationDefinitionNode,
  document: DocumentNode,
): boolean =>
  operation !== OperationTypeNode.SUBSCRIPTION && incrementalDirectives(document).length === 0;
