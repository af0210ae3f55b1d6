import { readFileSync } from 'node:fs';
import type { Health } from '../http/routes.ts';
import { acceptsPage, type Route } from '../http/routes.ts';
import { type HomePageOptions, homePage } from './home-page.ts';

export const iconPath = '/icon.svg';

const icon = readFileSync(new URL('icon.svg', import.meta.url), 'utf8');

const iconRoute: Route = () =>
  new Response(icon, {
    headers: { 'content-type': 'image/svg+xml', 'cache-control': 'public, max-age=86400' },
  });

export interface PageOptions extends Omit<HomePageOptions, 'origin' | 'unreadiness'> {
  readonly health: Health;
}

/** The start page for browsers. Other clients receive 404; in development it names the path of the graph. */
export function pageRoutes({ health, ...options }: PageOptions): Readonly<Record<string, Route>> {
  const { development, graphqlPath } = options;
  return {
    async '/'(request) {
      if (acceptsPage(request)) {
        const { origin } = new URL(request.url);
        return homePage({ ...options, origin, unreadiness: await health.readiness() });
      }
      return development ? Response.json({ graph: graphqlPath }, { status: 404 }) : null;
    },
    [iconPath]: iconRoute,
  };
}
