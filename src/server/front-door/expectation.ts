import { badRequest, type Check } from './arrival.ts';

/** The only thing that may be expected is to be told to go on. */
export const checkExpectation: Check = ({ headers: { expect } }) =>
  expect === undefined || expect.toLowerCase() === '100-continue'
    ? null
    : badRequest(417, 'The only `expect` that is understood here is `100-continue`.');
