import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliDecompress, gzip } from 'node:zlib';
import { lazy } from '../../../lib/lazy.ts';
import {
  acceptsPage,
  graphqlPath,
  pageResponse,
  type Route,
  type Routes,
} from '../../http/routes.ts';
import { environmentBanner, iconPath, type UpstreamKind } from '../page.ts';
import { type Example, exampleTabs } from './examples.ts';

const built = new URL('built/', import.meta.url);

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  ttf: 'font/ttf',
  woff2: 'font/woff2',
  svg: 'image/svg+xml',
};

/** One route per built file. The name contains a digest of the content, so browsers may cache it forever. */
export function assetRoutes(prefix: string): Routes {
  const names = readdirSync(built).flatMap((name) => /^(.+)\.br$/.exec(name)?.[1] ?? []);
  return Object.fromEntries(names.map((name) => [`${prefix}/${name}`, assetRoute(name)]));
}

function assetRoute(name: string): Route {
  const type = types[name.replace(/^.*\./, '')] ?? 'application/octet-stream';
  // Only `br` is on disk.
  const br = lazy(() => readFile(new URL(`${name}.br`, built)));
  const identity = lazy(async () => promisify(brotliDecompress)(await br()));
  const forms = { br, identity, gzip: lazy(async () => promisify(gzip)(await identity())) };
  return async (request) => {
    const encoding = encodingFor(request.header('accept-encoding') ?? '');
    return {
      headers: {
        'content-type': type,
        'cache-control': 'public, max-age=31536000, immutable',
        vary: 'accept-encoding',
        ...(encoding !== 'identity' && { 'content-encoding': encoding }),
      },
      body: await forms[encoding](),
    };
  };
}

/** Browsers accept `br` over HTTPS and from localhost only. */
function encodingFor(accepted: string): 'br' | 'gzip' | 'identity' {
  if (/\bbr\b/.test(accepted)) return 'br';
  return /\bgzip\b/.test(accepted) ? 'gzip' : 'identity';
}

export const assetPrefix = '/graphiql';

/** Only this origin; inline styles are allowed, because the editor creates them at run time. */
const policy =
  "script-src 'self'; worker-src 'self'; connect-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:";

/** GraphiQL for browsers; other clients of this path reach the graph. */
export function graphiqlRoute(
  environment: UpstreamKind,
  requiresKey: boolean,
  examples: readonly Example[],
): Route {
  const html = pageHtml(environment, requiresKey, examples);
  return (request) => (acceptsPage(request) ? pageResponse(html, policy) : null);
}

/** Without a name, so that no form can send the key in a URL. The script stores it as the page of approvals does. */
const keyForm = `<form id="key-form" autocomplete="off">
      <label for="key">API key or token</label>
      <input id="key" type="password" autocomplete="off" spellcheck="false" required />
      <button type="submit">Use this key</button>
      <button type="button" id="forget-key" hidden>Forget the key</button>
      <span id="key-message" role="alert"></span>
    </form>`;

function pageHtml(
  environment: UpstreamKind,
  requiresKey: boolean,
  examples: readonly Example[],
): string {
  const entry: { readonly script: string; readonly style: string } = JSON.parse(
    readFileSync(new URL('built/entry.json', import.meta.url), 'utf8'),
  );
  const tabs = exampleTabs(environment, examples);
  const options = JSON.stringify({ graph: graphqlPath, environment, tabs });
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width" />
    <title>GraphiQL of reseller-graph (${environment})</title>
    <link rel="icon" href="${iconPath}" />
    <link rel="stylesheet" href="${assetPrefix}/${entry.style}" />
  </head>
  <body>
    <header class="surroundings ${environment}"><h1>GraphiQL</h1><a href="/">reseller-graph</a>${environmentBanner[environment]}${requiresKey ? keyForm : ''}</header>
    <noscript>GraphiQL needs JavaScript. The graph accepts a POST of JSON at this address.</noscript>
    <main id="root"></main>
    <script type="application/json" id="options">${options.replaceAll('<', '\\u003c')}</script>
    <script type="module" src="${assetPrefix}/${entry.script}"></script>
  </body>
</html>
`;
}
