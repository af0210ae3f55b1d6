import type { Config } from '../config/config.ts';
import { isLoopback } from '../kernel/loopback.ts';
import { graphqlPath } from './app.ts';

const firstQuery = '{ reseller { name balances { money { amount currency } } } }';

/** What is printed once the gateway listens: what to open, what to paste, and who one is in the sandbox. */
export function greeting(
  { upstream, tenants, auth, development }: Config,
  { url, sandboxUrl }: { readonly url: string; readonly sandboxUrl: string | null },
): string {
  const graph = `${url}${graphqlPath}`;
  const key = auth.kind === 'keys' ? ` -H "x-api-key: $API_KEY"` : '';
  return [
    '',
    `  reseller-graph listens, ${surroundingsOf(upstream, tenants)}.`,
    '',
    `  ${development ? 'GraphiQL ' : 'Graph    '}  ${graph}`,
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

function surroundingsOf(upstream: Config['upstream'], tenants: Config['tenants']): string {
  if (upstream.kind === 'remote' && !upstream.isSandbox) return 'LIVE: purchases are real';
  const hosts = tenants.flatMap(({ urls }) => (urls ? new URL(urls.domainApiUrl).hostname : []));
  const elsewhere = hosts.find((host) => !isLoopback(host));
  return elsewhere === undefined
    ? 'with a sandbox: nothing here costs money'
    : `with what is taken for a sandbox at ${elsewhere}; if the real service is there, stop it and set UPSTREAM=live`;
}
