import type { Route } from './route.ts';

/** The state of the process; every client may read it. */
export interface Health {
  /** Null when the process can do all its work, else the reason in one sentence. */
  readiness(): Promise<string | null>;
  /** The state of each upstream API, observed from earlier calls. */
  upstream(): Readonly<Record<string, string>>;
  isStopping(): boolean;
}

export const healthRoutes = ({
  readiness,
  upstream,
  isStopping,
}: Health): Readonly<Record<string, Route>> => ({
  /** The process runs. */
  '/health/live': () => Response.json({ status: 'live' }),
  /** The process accepts requests; 503 once it stops. */
  '/health/serving': () =>
    isStopping()
      ? Response.json({ status: 'stopping' }, { status: 503 })
      : Response.json({ status: 'serving' }),
  /** The process can do all its work, purchases too; otherwise 503 with the reason. */
  async '/health/ready'() {
    const reason = await readiness();
    return reason === null
      ? Response.json({ status: 'ready', upstream: upstream() })
      : Response.json({ status: 'not ready', reason, upstream: upstream() }, { status: 503 });
  },
});
