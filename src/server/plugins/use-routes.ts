import type { Layer } from '../layer.ts';
import { refusalBody } from '../request-fault.ts';
import type { RequestIds } from '../request-ids.ts';

/** Null where it has nothing for this request. */
export type Route = (request: Request) => Promise<Response | null> | Response | null;

export interface RouteOptions {
  /** By path without a slash at the end; each answers GET and HEAD; the front door lets no other method pass. */
  readonly routes: Readonly<Record<string, Route>>;
  readonly graphqlPath: string;
  readonly ids: RequestIds;
}

/** Answers the paths beside the graph, and 404 for every path that nobody serves. */
export const useRoutes = ({ routes, graphqlPath, ids }: RouteOptions): Layer => ({
  full: {
    async onRequest({ request, url, fetchAPI, endResponse }) {
      const path = url.pathname.replace(/(?<=.)\/$/, '');
      const route = Object.hasOwn(routes, path) ? routes[path] : undefined;
      const answer = await route?.(request);
      if (answer) return endResponse(answer);
      if (path === graphqlPath) return;
      const facts = { code: 'BAD_USER_INPUT', requestId: ids.of(request) } as const;
      const body = refusalBody(nothingHere(graphqlPath), facts);
      endResponse(fetchAPI.Response.json(body, { status: 404 }));
    },
  },
  plain: { none: 'it is at the path of the graph alone' },
});

export const isReading = ({ method }: Request) => method === 'GET' || method === 'HEAD';

const nothingHere = (path: string) => `There is nothing at this path; the graph is at ${path}.`;
