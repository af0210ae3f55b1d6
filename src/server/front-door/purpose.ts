import { badRequest, type Check } from './arrival.ts';

/**
 * A GET of the graph is one that a program meant: it names the type of the answer that it takes, or brings a header along
 * that no page can send to another site without asking first. An image, a form and a link do neither.
 */
export const createPurposeCheck =
  (graphqlPath: string, hasPage: boolean): Check =>
  ({ method, path, headers }) => {
    if (path !== graphqlPath || (method !== 'GET' && method !== 'HEAD')) return null;
    const { accept = '' } = headers;
    if (hasPage && /\btext\/html\b/.test(accept)) return null;
    // A page that fetches from another site says so by its origin, which was looked at before.
    if (headers['sec-fetch-mode'] === 'cors') return null;
    if (meant.some((name) => headers[name] !== undefined) || answers.test(accept)) return null;
    return badRequest(400, sentence);
  };

const meant = ['apollo-require-preflight', 'x-requested-with'];
const answers =
  /\b(?:application\/(?:graphql-response\+)?json|text\/event-stream|multipart\/mixed)\b/i;
const sentence =
  'A GET of the graph names the answer that it takes, as by `accept: application/json`; or send the document by POST.';
