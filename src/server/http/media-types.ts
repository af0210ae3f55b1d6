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
