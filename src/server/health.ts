import type { Route } from './plugins/use-routes.ts';

/** What a check found: null when all is well, else one sentence that may be shown to anybody. */
export type Readiness = () => Promise<string | null>;

/** `/health/live`: the process runs and answers. */
export const liveRoute: Route = () => Response.json({ status: 'live' });

/** `/health/ready`: it can do its work now; 503 and the reason when it can't. */
export const readyRoute =
  (readiness: Readiness): Route =>
  async () => {
    const reason = await readiness();
    return reason === null
      ? Response.json({ status: 'ready' })
      : Response.json({ status: 'not ready', reason }, { status: 503 });
  };
