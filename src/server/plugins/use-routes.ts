import type { Layer } from '../layer.ts';
import { refusalBody } from '../request-fault.ts';

/** Null where it has nothing for this request. */
export type Route = (request: Request) => Promise<Response | null> | Response | null;

export interface RouteOptions {
  /** By path without a slash at the end; each answers GET and HEAD. */
  readonly routes: Readonly<Record<string, Route>>;
  readonly graphqlPath: string;
}

/** Answers the paths beside the graph, and 404 for every path that nobody serves. */
export const useRoutes = ({ routes, graphqlPath }: RouteOptions): Layer => ({
  full: {
    async onRequest({ request, url, fetchAPI, endResponse }) {
      const path = url.pathname.replace(/(?<=.)\/$/, '');
      const route = Object.hasOwn(routes, path) ? routes[path] : undefined;
      if (route && !isReading(request)) {
        const refusal = { status: 405, headers: { allow: 'GET, HEAD' } };
        return endResponse(fetchAPI.Response.json(refusalBody(onlyGet), refusal));
      }
      const answer = await route?.(request);
      if (answer) return endResponse(answer);
      if (path !== graphqlPath) {
        endResponse(fetchAPI.Response.json(refusalBody(nothingHere(graphqlPath)), { status: 404 }));
      }
    },
  },
  plain: { none: 'it is at the path of the graph alone' },
});

export const isReading = ({ method }: Request) => method === 'GET' || method === 'HEAD';

const onlyGet = 'This path answers GET only.';
const nothingHere = (path: string) => `There is nothing at this path; the graph is at ${path}.`;
