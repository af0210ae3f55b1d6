import type { Check } from './arrival.ts';

/**
 * What a browser sends to the graph for a page of another site without saying for which, as for an image, a form or a
 * link. Opening GraphiQL by a link is no question to the graph.
 */
export const createForeignSiteCheck =
  (graphqlPath: string, hasPage: boolean): Check =>
  ({ path, headers }) => {
    const site = headers['sec-fetch-site'];
    if (path !== graphqlPath || headers.origin !== undefined) return null;
    if (site === undefined || site === 'same-origin' || site === 'none') return null;
    const opensPage =
      headers['sec-fetch-mode'] === 'navigate' && /\btext\/html\b/.test(headers.accept ?? '');
    if (hasPage && opensPage) return null;
    return { status: 403, code: 'FORBIDDEN', message: sentence };
  };

const sentence = 'A page of another site may not ask this graph; send the request from a program.';
