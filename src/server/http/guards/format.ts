import type { RouteFacts } from '../http-request.ts';
import { badRequest, type Guard, overloaded } from '../responses.ts';
import { graphqlPath } from '../routes.ts';

/** Characters; a longer document is sent by POST. */
const maxTargetLength = 8_192;

/** Accepts a plain path of bounded length. */
export const checkTarget: Guard = ({ target, path }) => {
  if (target.length > maxTargetLength) return badRequest(414, targetTooLong);
  if (path !== null) return null;
  return badRequest(400, 'The target of a request is a plain path such as `/graphql`.');
};

const targetTooLong = `The target of a request has at most ${maxTargetLength} characters; send the document by POST.`;

const maxHeaders = 100;

/** Counted here, because Node drops the headers beyond its own limit without an error. */
export const checkHeaderCount: Guard = ({ node }) =>
  node.rawHeaders.length > 2 * maxHeaders
    ? badRequest(431, `A request has at most ${maxHeaders} headers.`)
    : null;

/** Open requests, streams among them. */
const maxOpenRequests = 4_096;

/** Refuses requests beyond the limit before their bodies are read; health is exempt. */
export const createLoadGuard =
  (openRequests: () => number): Guard =>
  ({ path }) =>
    openRequests() <= maxOpenRequests || path?.startsWith('/health/') ? null : overloaded(1);

/** Refuses a method that a known path does not have; unknown paths are refused later. */
export function createMethodGuard(
  hasPage: boolean,
  routes: Readonly<Record<string, RouteFacts>>,
): Guard {
  const methodsOf = new Map(
    Object.entries(routes).map(([path, { post }]) => [path, post ? ['POST'] : ['GET', 'HEAD']]),
  );
  methodsOf.set(graphqlPath, hasPage ? ['GET', 'POST', 'HEAD'] : ['GET', 'POST']);
  return ({ method, path }) => {
    const methods = methodsOf.get(path ?? '');
    if (methods === undefined || methods.includes(method)) return null;
    const allow = methods.join(', ');
    return { ...badRequest(405, `This path accepts ${allow} only.`), headers: { allow } };
  };
}

/** Accepts a body only with POST, whole or in chunks. Node itself refuses a request with a length and chunks. */
export const checkTransfer: Guard = ({ method, headers, hasBody }) => {
  const encoding = headers['transfer-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'chunked')
    return badRequest(400, 'The only accepted `transfer-encoding` is `chunked`.');
  return hasBody && method !== 'POST' ? badRequest(400, 'Only a POST has a body.') : null;
};

/**
 * Accepts JSON in UTF-8 without content encoding. A browser sends that to another site only after a preflight, and it
 * cannot be a decompression bomb.
 */
export const checkMediaType: Guard = ({ method, headers }) => {
  if (method !== 'POST') return null;
  const type = headers['content-type'] ?? '';
  if (!/^application\/json\s*(?:;|$)/.test(type)) {
    return notJson('A POST request must have the content type `application/json`.');
  }
  const charset = /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(type)?.[1];
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) {
    return notJson('JSON must be in UTF-8; omit the charset.');
  }
  if (!headers['content-encoding']) return null;
  return badRequest(415, 'A body must be sent without `content-encoding`.');
};

const notJson = (message: string) => ({
  ...badRequest(415, message),
  headers: { accept: 'application/json' },
});

/** Refuses a body by its declared length; a chunked body is counted while it is read. */
export const createLengthGuard =
  (maxBytes: number): Guard =>
  ({ headers }) =>
    Number(headers['content-length'] ?? 0) > maxBytes
      ? badRequest(413, `The body of a request has at most ${maxBytes} bytes.`)
      : null;

export const checkExpectation: Guard = ({ headers: { expect } }) =>
  expect === undefined || expect.toLowerCase() === '100-continue'
    ? null
    : badRequest(417, 'The only accepted `expect` is `100-continue`.');
