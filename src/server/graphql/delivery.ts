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

const multipart = 'multipart/mixed';

/** How a response of several parts is sent. */
interface IncrementalDelivery {
  readonly type: typeof multipart | 'text/event-stream';
  /** The parameter of the media type that names a form; null for the older form without a parameter. */
  readonly form: 'incrementalSpec=v0.2' | 'deferSpec=20220824' | null;
}

/**
 * The delivery that an `accept` header prefers: by weight, then `multipart/mixed` before an event stream, then by order. Null
 * when the header names none in a form that the gateway has.
 */
export function incrementalDeliveryFor(accept: string | null): IncrementalDelivery | null {
  const offers = (accept ?? '').split(',').flatMap((text) => {
    const [type = '', ...rest] = text.split(';').map((one) => one.trim().toLowerCase());
    const parameters = new Map(rest.map(readParameter));
    const weight = Number(parameters.get('q') ?? 1);
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

function readParameter(text: string): [name: string, value: string] {
  const [name = '', value = ''] = text.split('=').map((one) => one.trim());
  return [name, value.replace(/^"(.*)"$/, '$1')];
}

function deliveryOf(
  type: string,
  parameters: ReadonlyMap<string, string>,
): IncrementalDelivery | null {
  if (type === 'text/event-stream') return { type, form: null };
  if (type !== multipart) return null;
  const newer = parameters.get('incrementalspec');
  const older = parameters.get('deferspec');
  if (newer === 'v0.2') return { type, form: 'incrementalSpec=v0.2' };
  if (newer !== undefined) return null;
  if (older === '20220824') return { type, form: 'deferSpec=20220824' };
  return older === undefined ? { type, form: null } : null;
}

/** Without the `multipart/mixed` that `incrementalDeliveryFor` did not choose: Yoga prefers it and reads no parameters. */
export function withoutUnusedMultipart(accept: string): string {
  if (incrementalDeliveryFor(accept)?.type === multipart) return accept;
  return accept
    .split(',')
    .filter((one) => !accepts(one, [multipart]))
    .join();
}

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
