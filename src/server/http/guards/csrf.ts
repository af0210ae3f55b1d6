import { badRequest, type Guard } from '../request-head.ts';

/**
 * Refuses requests to the graph that a browser sends for a page of another site without an `Origin`: images, forms and
 * links. A link may open GraphiQL.
 */
export const createCrossSiteGuard =
  (graphqlPath: string, hasPage: boolean): Guard =>
  ({ path, headers }) => {
    const site = headers['sec-fetch-site'];
    if (path !== graphqlPath || headers.origin !== undefined) return null;
    if (site === undefined || site === 'same-origin' || site === 'none') return null;
    const opensPage =
      headers['sec-fetch-mode'] === 'navigate' && /\btext\/html\b/.test(headers.accept ?? '');
    if (hasPage && opensPage) return null;
    return { status: 403, code: 'FORBIDDEN', message: crossSite };
  };

const crossSite =
  'Pages of other sites must not request this graph; send the request from a program.';

/**
 * Refuses a GET of the graph without an `accept` header for results or a header that needs a preflight: a page of another
 * site can send it with an image, a form or a link.
 */
export const createAcceptGuard =
  (graphqlPath: string, hasPage: boolean): Guard =>
  ({ method, path, headers }) => {
    if (path !== graphqlPath || (method !== 'GET' && method !== 'HEAD')) return null;
    const { accept = '' } = headers;
    if (hasPage && /\btext\/html\b/.test(accept)) return null;
    // The origin guard has checked requests with this mode.
    if (headers['sec-fetch-mode'] === 'cors') return null;
    const needsPreflight = preflightHeaders.some((name) => headers[name] !== undefined);
    return needsPreflight || results.test(accept) ? null : badRequest(400, noAccept);
  };

const preflightHeaders = ['apollo-require-preflight', 'x-requested-with'];
const results =
  /\b(?:application\/(?:graphql-response\+)?json|text\/event-stream|multipart\/mixed)\b/i;
const noAccept =
  'A GET of the graph needs an accept header such as `application/json`, as protection against CSRF; otherwise use POST.';
