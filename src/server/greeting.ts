import type { Config } from '../config/config.ts';
import { graphqlPath } from './app.ts';

const firstQuery = '{ reseller { name balances { money { amount currency } } } }';

/** What is printed once the gateway listens: what to open, what to paste, and who one is in the sandbox. */
export function greeting(
  { upstream, auth, development }: Config,
  { url, sandboxUrl }: { readonly url: string; readonly sandboxUrl: string | null },
): string {
  const isSandbox = upstream.kind === 'embedded' || upstream.isSandbox;
  const graph = `${url}${graphqlPath}`;
  const key = auth.kind === 'keys' ? ` -H "x-api-key: $API_KEY"` : '';
  return [
    '',
    `  reseller-graph listens, ${isSandbox ? 'with a sandbox: nothing here costs money' : 'LIVE: purchases are real'}.`,
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
