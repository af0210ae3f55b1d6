import type { Route } from './plugins/use-routes.ts';

/** What the process knows of itself; whatever it tells may be shown to anybody. */
export interface Health {
  /** Null when it can do all its work now, else one sentence that says why it can't. */
  readiness(): Promise<string | null>;
  /** How calls of each of the service's APIs fare, by what was seen of them: nothing is asked for it. */
  upstream(): Readonly<Record<string, string>>;
  /** Whether it has been told to stop. */
  isStopping(): boolean;
}

/** `/health/live`: the process runs and answers. */
const liveRoute: Route = () => Response.json({ status: 'live' });

/** `/health/serving`: it answers reads at least; 503 once it has been told to stop. */
const servingRoute =
  ({ isStopping }: Health): Route =>
  () =>
    isStopping()
      ? Response.json({ status: 'stopping' }, { status: 503 })
      : Response.json({ status: 'serving' });

/** `/health/ready`: it can do all its work now, purchases too; 503 and the reason when it can't. */
const readyRoute =
  ({ readiness, upstream }: Health): Route =>
  async () => {
    const reason = await readiness();
    return reason === null
      ? Response.json({ status: 'ready', upstream: upstream() })
      : Response.json({ status: 'not ready', reason, upstream: upstream() }, { status: 503 });
  };

export const healthRoutes = (health: Health): Readonly<Record<string, Route>> => ({
  '/health/live': liveRoute,
  '/health/serving': servingRoute(health),
  '/health/ready': readyRoute(health),
});
