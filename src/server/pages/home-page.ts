import { type Html, html, prose } from './html.ts';
import { pageResponse } from './layout.ts';
import type { Surroundings } from './surroundings.ts';

export interface HomeFacts {
  readonly surroundings: Surroundings;
  /** Whether GraphiQL and introspection are there. */
  readonly development: boolean;
  /** Whether callers need a key. */
  readonly asksForKey: boolean;
  readonly graphqlPath: string;
  /** Scheme and host as the browser knows them. */
  readonly origin: string;
  /** Null when all is well, else one sentence. */
  readonly unreadiness: string | null;
}

const body = JSON.stringify({
  query: '{ availability(name: "maple-harbor.com") { state price { amount currency } } }',
});

/** `/`: what this is and where to go, for a person who opens the address. */
export const homePage = (facts: HomeFacts): Response =>
  pageResponse({
    title: `reseller-graph (${facts.surroundings})`,
    surroundings: facts.surroundings,
    main: html`<h1>reseller-graph</h1>
<p class="lead">One typed GraphQL graph over a domain reseller’s two APIs: search and prices, purchases that are sent once, the portfolio, contacts and name servers.</p>
<p class="health ${facts.unreadiness === null ? 'well' : 'unwell'}">${facts.unreadiness ?? 'Ready to answer.'}</p>
<ul class="cards">
${cardsOf(facts)}</ul>
<h2>Ask it</h2>
<pre><code>${commandOf(facts)}</code></pre>
${facts.asksForKey ? html`<p>${prose('Every caller sends a key of this gateway as `x-api-key`, or a token of an issuer that it trusts.')}</p>` : ''}
${facts.surroundings === 'sandbox' ? html`<p>${prose('The sandbox is a reseller service with domains and money of its own. Begin with `reseller-demo.com`; a name such as `lost-answer-maple.com` loses the answer of its purchase on the way.')}</p>` : ''}`,
  });

const commandOf = ({ origin, graphqlPath, asksForKey }: HomeFacts): string =>
  [
    `curl -s ${origin}${graphqlPath}`,
    ...(asksForKey ? [`-H "x-api-key: $API_KEY"`] : []),
    "-H 'content-type: application/json'",
    `-d '${body}'`,
  ].join(' \\\n  ');

function cardsOf({ development, graphqlPath }: HomeFacts): readonly Html[] {
  return [
    ...(development
      ? [
          card(
            graphqlPath,
            'GraphiQL',
            'Ask the graph in the browser: examples, documentation, explorer.',
          ),
        ]
      : []),
    card('/errors', 'Errors', 'Every code, and what to do about it.'),
    card('/settings', 'Settings', 'What an operator can set, and the defaults.'),
    card('/health/ready', 'Health', 'Whether it can work now, as JSON for machines.'),
  ];
}

const card = (path: string, name: string, says: string): Html =>
  html`<li><a href="${path}"><strong>${name}</strong><span>${says}</span><code>${path}</code></a></li>\n`;
