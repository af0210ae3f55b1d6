import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { acceptsPage, graphqlPath, type Health, pageResponse, type Route } from '../http/routes.ts';

/** Whether the upstream is the sandbox or a real service. */
export type Environment = 'sandbox' | 'live';

/** Shown on every page, because a click may cost money. */
export const environmentBanner: Readonly<Record<Environment, string>> = {
  sandbox: 'Sandbox: nothing here costs money',
  live: 'Live: purchases are real',
};

export interface HomePageOptions {
  readonly environment: Environment;
  /** Whether GraphiQL and introspection are enabled. */
  readonly development: boolean;
  /** Whether callers need a key. */
  readonly requiresKey: boolean;
  readonly health: Health;
}

/** The start page for browsers. Other clients receive 404; in development it names the path of the graph. */
export function homePageRoutes(options: HomePageOptions): Readonly<Record<string, Route>> {
  const { development, health } = options;
  return {
    async '/'(request) {
      if (acceptsPage(request)) {
        const { origin } = new URL(request.url);
        return pageResponse(
          documentOf({ ...options, origin, unreadiness: await health.readiness() }),
          policy,
        );
      }
      return development ? Response.json({ graph: graphqlPath }, { status: 404 }) : null;
    },
    [iconPath]: () =>
      new Response(icon, {
        headers: { 'content-type': 'image/svg+xml', 'cache-control': 'public, max-age=86400' },
      }),
  };
}

export const iconPath = '/icon.svg';

const icon = readFileSync(new URL('icon.svg', import.meta.url), 'utf8');
const style = readFileSync(new URL('style.css', import.meta.url), 'utf8');
const digest = hash('sha256', style, 'base64');

/** No script, no other origin, and only the style of this page. */
const policy = `style-src 'sha256-${digest}'; img-src 'self'`;

interface PageFacts extends HomePageOptions {
  /** Scheme and host as the browser sees them. */
  readonly origin: string;
  /** Why the gateway is not ready, in one sentence; null when it is. */
  readonly unreadiness: string | null;
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Every text that is not a constant of this file is escaped. */
const escaped = (text: string) => text.replace(/[&<>]/g, (sign) => entities[sign] ?? sign);

const documentOf = (facts: PageFacts): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>reseller-graph (${facts.environment})</title>
<link rel="icon" href="${iconPath}">
<style>${style}</style>
</head>
<body>
<p class="environment ${facts.environment}">${environmentBanner[facts.environment]}</p>
<main>
<h1>reseller-graph</h1>
<p class="lead">One typed GraphQL graph over a domain reseller’s two APIs: search and prices, purchases that are sent once, the portfolio, contacts and name servers.</p>
<p class="health ${facts.unreadiness === null ? 'well' : 'unwell'}">${escaped(facts.unreadiness ?? 'Ready.')}</p>
<ul class="cards">
${facts.development ? card(graphqlPath, 'GraphiQL', 'Queries in the browser, with examples and docs.') : ''}
${card('/health/ready', 'Health', 'Whether the gateway can do all its work, as JSON.')}
</ul>
<h2>A query</h2>
<pre><code>${escaped(commandOf(facts))}</code></pre>
${facts.requiresKey ? aboutKeys : ''}
${facts.environment === 'sandbox' ? aboutSandbox : ''}
<p>Settings, error codes and costs are described in the folder <code>docs</code> of the repository.</p>
</main>
</body>
</html>
`;

const aboutKeys =
  '<p>Every caller sends an API key of this gateway as <code>x-api-key</code>, or a token of a trusted issuer as <code>Authorization: Bearer</code>.</p>';
const aboutSandbox =
  '<p>The sandbox is a reseller service with its own domains and money. It contains <code>reseller-demo.com</code>. With a name such as <code>lost-answer-maple.com</code> the reply to a purchase is lost.</p>';

const card = (path: string, name: string, description: string): string =>
  `<li><a href="${path}"><strong>${name}</strong><span>${description}</span><code>${path}</code></a></li>`;

const commandOf = ({ origin, requiresKey }: PageFacts): string =>
  [
    `curl -s ${origin}${graphqlPath}`,
    ...(requiresKey ? [`-H "x-api-key: $API_KEY"`] : []),
    "-H 'content-type: application/json'",
    `-d '${body}'`,
  ].join(' \\\n  ');

const body = JSON.stringify({
  query: '{ availability(name: "maple-harbor.com") { state price { amount currency } } }',
});
