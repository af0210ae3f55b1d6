import type { Setting } from '../../config/settings.ts';
import type { Health } from '../health.ts';
import type { Route } from '../plugins/use-routes.ts';
import { errorsPage } from './errors-page.ts';
import { homePage } from './home-page.ts';
import { iconPath, iconRoute } from './icon.ts';
import { settingsPage } from './settings-page.ts';
import type { Surroundings } from './surroundings.ts';
import { wantsPage } from './wants-page.ts';

export interface PageOptions {
  readonly surroundings: Surroundings;
  readonly development: boolean;
  readonly asksForKey: boolean;
  readonly graphqlPath: string;
  readonly health: Health;
  /** The rows of which the page of settings is made. */
  readonly settingRows: readonly Setting[];
}

/** The pages for people. Whoever asks for no HTML finds nothing there, and in development is told where the graph is. */
export function pageRoutes(options: PageOptions): Readonly<Record<string, Route>> {
  const { surroundings, development, graphqlPath, health, settingRows } = options;
  const home: Route = async (request) => {
    if (wantsPage(request)) {
      const { origin } = new URL(request.url);
      return homePage({ ...options, origin, unreadiness: await health.readiness() });
    }
    return development ? Response.json({ graph: graphqlPath }, { status: 404 }) : null;
  };
  return {
    '/': home,
    '/errors': (request) => (wantsPage(request) ? errorsPage(surroundings) : null),
    '/settings': (request) => (wantsPage(request) ? settingsPage(surroundings, settingRows) : null),
    [iconPath]: iconRoute,
  };
}
