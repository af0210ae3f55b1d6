const wholeAnswers = ['application/json', 'application/graphql-response+json'] as const;

/** The media types of an answer in one piece. */
export type WholeAnswer = (typeof wholeAnswers)[number];

/** The last header that was looked at: nearly all are the same. */
let last: { readonly accept: string; readonly type: WholeAnswer | null } | null = null;

/**
 * The type in which a client that sends this `accept` header gets an answer in one piece, chosen as Yoga chooses it: the
 * first that fits, weights not looked at. Null when it takes none of them.
 */
export function wholeAnswerFor(header: string | null): WholeAnswer | null {
  const accept = header || '*/*';
  if (last?.accept !== accept) last = { accept, type: firstFitting(accept) };
  return last.type;
}

function firstFitting(accept: string): WholeAnswer | null {
  for (const one of accept.replace(/\s/g, '').toLowerCase().split(',')) {
    const [range = '', ...parameters] = one.split(';');
    const charset = parameters.find((parameter) => parameter.includes('charset='));
    if (charset !== undefined && charset !== 'charset=utf-8') continue;
    const fitting = wholeAnswers.find((type) => fits(type, range));
    if (fitting) return fitting;
  }
  return null;
}

function fits(type: WholeAnswer, range: string): boolean {
  const [main, sub] = type.split('/');
  const [askedMain, askedSub] = range.split('/');
  return (askedMain === '*' || askedMain === main) && (askedSub === '*' || askedSub === sub);
}
