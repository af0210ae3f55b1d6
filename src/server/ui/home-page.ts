import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { lazy } from '../../lib/lazy.ts';
import {
  acceptsPage,
  graphqlPath,
  type Health,
  jsonResponse,
  type Route,
  type Routes,
  urlOf,
} from '../http/routes.ts';
import {
  escaped,
  type FeaturePage,
  iconPath,
  readAsset,
  respondWith,
  type UpstreamKind,
} from './page.ts';

const overviewPath = '/llms.txt';

/** Where `scripts/documents.ts` has written them: beside the bundle. The sources serve those of the last build. */
const folder = new URL(import.meta.url.endsWith('.ts') ? '../../../dist/' : './', import.meta.url);

/** The address of a gateway in the documents of the package. */
const packaged = 'http://127.0.0.1:4000/';

/** The documents, each at its path in the npm package, with the address that the client uses. */
export const documentRoutes = lazy((): Routes => {
  const paths = globSync(['llms*.txt', 'docs/**/*.md'], { cwd: folder });
  return Object.fromEntries(
    paths.map((path) => {
      const type = path.endsWith('.md') ? 'text/markdown' : 'text/plain';
      const headers = { 'content-type': `${type}; charset=utf-8` };
      const route: Route = async ({ headers: { host = '' } }) => {
        const text = await readFile(new URL(path, folder), 'utf8');
        return { headers, body: text.replaceAll(packaged, () => urlOf(host, '/')) };
      };
      return [`/${path}`, route];
    }),
  );
});

interface HomePageOptions {
  readonly environment: UpstreamKind;
  /** Whether GraphiQL and introspection are enabled. */
  readonly development: boolean;
  /** Whether callers need a key. */
  readonly requiresKey: boolean;
  /** What to do about prices that are missing; null when they are not. */
  readonly priceWarning?: string | null;
  readonly health: Health;
  /** Those of features. */
  readonly pages: readonly FeaturePage[];
}

/** The start page for browsers. Other clients receive 404; in development it names the path of the graph. */
export function homePageRoutes(options: HomePageOptions): Routes {
  const { development, health } = options;
  return {
    async '/'(request) {
      if (acceptsPage(request)) {
        const graph = urlOf(request.headers.host ?? '', graphqlPath);
        const facts = { ...options, graph, unreadiness: await health.readiness() };
        return respondWith({ ...options, title: 'reseller-graph', main: mainOf(facts) });
      }
      return development ? jsonResponse({ graph: graphqlPath }, 404) : null;
    },
    [iconPath]: () => ({
      headers: { 'content-type': 'image/svg+xml', 'cache-control': 'public, max-age=86400' },
      body: icon,
    }),
  };
}

const icon = readAsset('icon.svg');

interface PageFacts extends HomePageOptions {
  /** The address of the graph as the browser uses it. */
  readonly graph: string;
  /** Why the gateway is not ready, in one sentence; null when it is. */
  readonly unreadiness: string | null;
}

const mainOf = (facts: PageFacts): string => `<h1>reseller-graph</h1>
<p class="lead">One typed GraphQL graph over a domain reseller’s two APIs: search and prices, purchases that are sent once, the portfolio, contacts and name servers.</p>
<p class="health ${facts.unreadiness === null ? 'well' : 'unwell'}">${escaped(facts.unreadiness ?? 'Ready.')}</p>
${(facts.priceWarning ?? null) === null ? '' : `<p class="health unwell">${escaped(facts.priceWarning ?? '')}</p>`}
<ul class="cards">
${facts.development ? card(graphqlPath, 'GraphiQL', 'Queries in the browser, with examples and docs.') : ''}
${facts.development ? card(overviewPath, 'Documents', 'All pages, and a page per type of the graph, as Markdown.') : ''}
${facts.pages.map(({ path, title, description }) => `${card(path, title, description)}\n`).join('')}${card('/health/ready', 'Health', 'Whether the gateway can do all its work, as JSON.')}
</ul>
<h2>A query</h2>
<pre><code>${escaped(commandOf(facts))}</code></pre>
${facts.requiresKey ? aboutKeys : ''}
${facts.environment === 'sandbox' ? aboutSandbox : ''}
${facts.development ? '' : aboutDocuments}`;

const aboutDocuments =
  '<p>Settings, error codes and costs are described in the folder <code>docs</code> of the npm package.</p>';
const aboutKeys =
  '<p>Every caller sends an API key of this gateway as <code>x-api-key</code>, or a token of a trusted issuer as <code>Authorization: Bearer</code>.</p>';
const aboutSandbox =
  '<p>The sandbox is a reseller service with its own domains and money. It contains <code>reseller-demo.com</code>. With a name such as <code>lost-answer-maple.com</code> the reply to a purchase is lost.</p>';

const card = (path: string, name: string, description: string): string =>
  `<li><a href="${path}"><strong>${name}</strong><span>${description}</span><code>${path}</code></a></li>`;

const commandOf = ({ graph, requiresKey }: PageFacts): string =>
  [
    `curl -s ${graph}`,
    ...(requiresKey ? [`-H "x-api-key: $API_KEY"`] : []),
    "-H 'content-type: application/json'",
    `-d '${body}'`,
  ].join(' \\\n  ');

const body = JSON.stringify({
  query:
    '{ availability(name: "maple-harbor.com") { state quote { period highest { amount currency } } } }',
});
