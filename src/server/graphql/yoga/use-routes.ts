import type { Plugin } from 'graphql-yoga';
import { refusalBody } from '../../http/responses.ts';
import type { Route } from '../../http/routes.ts';
import type { ServerContext } from './use-rules.ts';

export interface RouteOptions {
  /** By path without a trailing slash. The guards accept GET and HEAD only. */
  readonly routes: Readonly<Record<string, Route>>;
  readonly graphqlPath: string;
}

/** Responds to the paths beside the graph, and with 404 to unknown paths. */
export const useRoutes = ({
  routes,
  graphqlPath,
}: RouteOptions): Plugin<object, ServerContext> => ({
  async onRequest({ request, url, fetchAPI, endResponse, serverContext }) {
    const path = url.pathname.replace(/(?<=.)\/$/, '');
    const route = Object.hasOwn(routes, path) ? routes[path] : undefined;
    const response = await route?.(request);
    if (response) return endResponse(response);
    if (path === graphqlPath) return;
    const message = `This path does not exist; the graph is at ${graphqlPath}.`;
    const facts = { code: 'BAD_USER_INPUT', requestId: serverContext.httpRequest.id } as const;
    endResponse(fetchAPI.Response.json(refusalBody(message, facts), { status: 404 }));
  },
});
