import type { HttpRequest } from '../../server/http/http-request.ts';
import { inProcessHost, urlOf } from '../../server/http/routes.ts';

/** The address of the page of an approval, for a user of the tools. Only the path where the gateway serves no pages. */
export function approvalAddress({ node, headers: { host = '' } }: HttpRequest, id: string): string {
  const path = `/approvals/${id}`;
  if (host === inProcessHost) return path;
  // Another server may have mounted the gateway below a path.
  const [mount = ''] = (node.url ?? '').split(/\/mcp(?=[/?]|$)/);
  return urlOf(host, `${mount}${path}`);
}
