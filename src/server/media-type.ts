const wholeAnswers = ['application/json', 'application/graphql-response+json'] as const;

/** The media types of an answer in one piece. */
export type WholeAnswer = (typeof wholeAnswers)[number];

/**
 * The type in which a client that sends this `accept` header gets an answer in one piece, chosen as Yoga chooses it: the
 * first that fits, weights not looked at. Null when it takes none of them.
 */
export function wholeAnswerFor(accept: string | null): WholeAnswer | null {
  for (const one of (accept || '*/*').replace(/\s/g, '').toLowerCase().split(',')) {
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
