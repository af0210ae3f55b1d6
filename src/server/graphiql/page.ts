import { readFileSync } from 'node:fs';
import type { Layer } from '../layer.ts';
import { iconPath } from '../pages/icon.ts';
import { type Surroundings, surroundingsSentence } from '../pages/surroundings.ts';
import { wantsPage } from '../pages/wants-page.ts';
import { exampleTabs } from './examples.ts';

export const assetPrefix = '/graphiql';

/** Everything from here, nothing inline but styles, which the editor writes at run time. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "connect-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Answers a browser that opens the graph with the page of GraphiQL; whoever asks for JSON gets past it. */
export function useGraphiqlPage(graphqlPath: string, surroundings: Surroundings): Layer {
  const html = pageHtml(graphqlPath, surroundings);
  return {
    full: {
      onRequest({ request, url, fetchAPI, endResponse }) {
        if (url.pathname !== graphqlPath || !wantsPage(request)) return;
        const headers = {
          'content-type': 'text/html; charset=utf-8',
          'content-security-policy': policy,
          vary: 'accept',
        };
        endResponse(new fetchAPI.Response(request.method === 'HEAD' ? null : html, { headers }));
      },
    },
    plain: { none: 'a page is read by GET' },
  };
}

function pageHtml(graph: string, surroundings: Surroundings): string {
  const entry: { readonly script: string; readonly style: string } = JSON.parse(
    readFileSync(new URL('built/entry.json', import.meta.url), 'utf8'),
  );
  const options = JSON.stringify({ graph, surroundings, tabs: exampleTabs(surroundings) });
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width" />
    <title>GraphiQL of reseller-graph (${surroundings})</title>
    <link rel="icon" href="${iconPath}" />
    <link rel="stylesheet" href="${assetPrefix}/${entry.style}" />
  </head>
  <body>
    <div class="surroundings ${surroundings}"><a href="/">reseller-graph</a>${surroundingsSentence[surroundings]}</div>
    <noscript>GraphiQL needs JavaScript. The graph itself answers a POST of JSON to this address.</noscript>
    <div id="root"></div>
    <script type="application/json" id="options">${options.replaceAll('<', '\\u003c')}</script>
    <script type="module" src="${assetPrefix}/${entry.script}"></script>
  </body>
</html>
`;
}
