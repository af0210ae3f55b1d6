import type { Randomness } from '../../lib/clock.ts';

export const requestIdHeader = 'x-request-id';

/** The id of a request: the one that the client sent if it is plausible, otherwise a new one. */
export type RequestIdOf = (sent: string | readonly string[] | undefined) => string;

const plausible = /^[\w-]{8,64}$/;

export const createRequestIds =
  (randomness: Randomness): RequestIdOf =>
  (sent) =>
    typeof sent === 'string' && plausible.test(sent) ? sent : randomness.uuid();
