import { badRequest, type Check } from './arrival.ts';

const mostHeaders = 100;

/** Counted here, since Node would leave out silently what is too many. */
export const checkHeaderCount: Check = ({ rawHeaders }) =>
  rawHeaders.length > 2 * mostHeaders ? badRequest(431, sentence) : null;

const sentence = `A request has at most ${mostHeaders} headers.`;
