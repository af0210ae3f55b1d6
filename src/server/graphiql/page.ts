import type { GraphiQLOptions } from 'graphql-yoga';
import type { Layer } from '../layer.ts';
import { isReading } from '../plugins/use-routes.ts';
import { exampleTabs } from './examples.ts';

export const assetPrefix = '/graphiql';

/** Says at a glance whether a click can cost money. */
export type Surroundings = 'sandbox' | 'live';

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

const banners: Readonly<Record<Surroundings, string>> = {
  sandbox: '<small style="color:#0d9488">sandbox: nothing here costs money</small>',
  live: '<small style="color:#dc2626">live: purchases are real</small>',
};

/** Answers a browser that opens the graph with the page of GraphiQL; whoever asks for JSON gets past it. */
export function useGraphiqlPage(graphqlPath: string, surroundings: Surroundings): Layer {
  const html = pageHtml(surroundings);
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

export const wantsPage = (request: Request) =>
  isReading(request) && /\btext\/html\b/.test(request.headers.get('accept') ?? '');

function pageHtml(surroundings: Surroundings): string {
  const options: GraphiQLOptions = {
    title: `reseller-graph&nbsp;${banners[surroundings]}`,
    logo: `<img src="${assetPrefix}/icon.svg" width="28" height="28" alt="" />`,
    defaultTabs: exampleTabs(surroundings),
    defaultEditorToolsVisibility: false,
    schemaDescription: true,
  };
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width" />
    <title>reseller-graph (${surroundings})</title>
    <link rel="icon" href="${assetPrefix}/icon.svg" />
    <link rel="stylesheet" href="${assetPrefix}/app.css" />
  </head>
  <body class="no-focus-outline">
    <noscript>GraphiQL needs JavaScript. The graph itself answers a POST of JSON to this address.</noscript>
    <div id="root" style="height: 100vh"></div>
    <script type="application/json" id="options">${JSON.stringify(options).replaceAll('<', '\\u003c')}</script>
    <script src="${assetPrefix}/app.js" defer></script>
    <script src="${assetPrefix}/boot.js" defer></script>
  </body>
</html>
`;
}
