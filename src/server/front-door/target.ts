import { badRequest, type Check } from './arrival.ts';

/** Characters; a document that is longer comes by POST. */
const longestTarget = 8_192;

/** The target is a path of bounded length that is read as it is written. */
export const checkTarget: Check = ({ target, path }) => {
  if (target.length > longestTarget) return badRequest(414, tooLong);
  return path === null ? badRequest(400, noPath) : null;
};

const tooLong = `The target of a request has at most ${longestTarget} characters; send the document by POST.`;
const noPath = 'The target of a request is a plain path such as `/graphql`.';
