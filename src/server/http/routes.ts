import type { HttpRequest } from './http-request.ts';

export const graphqlPath = '/graphql';
export const exportPrefix = '/export/';
export const mcpPath = '/mcp';
/** How a client signs in to the tools; RFC 9728 defines the path. */
export const signInPath = `/.well-known/oauth-protected-resource${mcpPath}`;

/** Whether the path has data of an account. */
export const isOfAccount = (path: string | null): boolean =>
  path === graphqlPath || path === mcpPath || path?.startsWith(exportPrefix) === true;

/** The path at which another server has mounted the gateway. */
const mount =
  /^(?:\/[\w~-][\w.~-]*)+(?=\/(?:graphql\/?|mcp\/?|export\/[^/?]+|health\/\w+)(?:\?|$))/;

/** The target as the gateway knows it: `/api/graphql?query=…` is `/graphql?query=…`. */
export const withoutMount = (target: string): string => target.replace(mount, '');

/** Responds to the requests of a path, by path without a trailing slash. */
export type Handlers = Readonly<Record<string, (request: HttpRequest) => void>>;

/** Responds to GET and HEAD of a path; null when it has no response for this request. */
export type Route = (request: Request) => Promise<Response | null> | Response | null;

/** Whether the client is a browser that opens a page. */
export const acceptsPage = ({ method, headers }: Request): boolean =>
  (method === 'GET' || method === 'HEAD') && /\btext\/html\b/.test(headers.get('accept') ?? '');

/** `policy` has the directives of `content-security-policy` that only this page needs. */
export const pageResponse = (html: string, policy: string): Response =>
  new Response(html, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; ${policy}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      vary: 'accept',
    },
  });

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
      : Response.json({ status: 'serving', upstream: upstream() }),
  /** The process can do all its work, purchases too; otherwise 503 with the reason. */
  async '/health/ready'() {
    const reason = await readiness();
    return reason === null
      ? Response.json({ status: 'ready', upstream: upstream() })
      : Response.json({ status: 'not ready', reason, upstream: upstream() }, { status: 503 });
  },
});
