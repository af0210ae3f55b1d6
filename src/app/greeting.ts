import type { Config } from '../config/config.ts';
import { isLoopback } from '../lib/addresses.ts';
import { graphqlPath } from '../server/http/routes.ts';

const firstQuery = '{ reseller { name balances { money { amount currency } } } }';

/** Printed once the gateway listens: the URLs, a first query, and the logins of the sandbox. */
export function greeting(
  config: Config,
  { url, sandboxUrl }: { readonly url: string; readonly sandboxUrl: string | null },
): string {
  const graph = `${url}${graphqlPath}`;
  const key = config.auth.kind === 'keys' ? ` -H "x-api-key: $API_KEY"` : '';
  return [
    '',
    `  reseller-graph listens, ${upstreamSentence(config)}.`,
    '',
    `  ${config.server.development ? 'GraphiQL ' : 'Graph    '}  ${graph}`,
    ...(sandboxUrl
      ? [
          `  Sandbox    ${sandboxUrl}  (reseller demo, password demo-password; Account API token demo-token)`,
        ]
      : []),
    '',
    '  A query to paste:',
    '',
    `  curl -s ${graph}${key} -H 'content-type: application/json' -d '${JSON.stringify({ query: firstQuery })}'`,
    '',
  ].join('\n');
}

function upstreamSentence({ isSandbox, tenants }: Config): string {
  if (!isSandbox) return 'LIVE: purchases are real';
  const hosts = tenants.flatMap(({ urls }) => (urls ? new URL(urls.domainApiUrl).hostname : []));
  const remote = hosts.find((host) => !isLoopback(host));
  return remote === undefined
    ? 'with a sandbox: nothing here costs money'
    : `with ${remote} as its sandbox; if that is the real registrar, stop the gateway and set UPSTREAM=live`;
}
