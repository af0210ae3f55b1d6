import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { GraphQLSchema } from 'graphql';
import {
  acceptsPage,
  pageResponse,
  type Route,
  type RouteResponse,
  type Routes,
} from '../http/routes.ts';

/** Whether the upstream is the sandbox or a real service. */
export type UpstreamKind = 'sandbox' | 'live';

/** Shown on every page, because a click may cost money. */
export const environmentBanner: Readonly<Record<UpstreamKind, string>> = {
  sandbox: 'Sandbox: nothing here costs money',
  live: 'Live: purchases are real',
};

export const iconPath = '/icon.svg';

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** For every text that is not a constant. */
export const escaped = (text: string) => text.replace(/[&<>]/g, (sign) => entities[sign] ?? sign);

export const readAsset = (name: string | URL): string =>
  readFileSync(new URL(name, import.meta.url), 'utf8');

const style = readAsset('style.css');
const digestOf = (text: string) => `'sha256-${hash('sha256', text, 'base64')}'`;

/** The script of a page after the one that it imports: the policy of the page allows one script. */
export const scriptOf = (file: URL): string =>
  ['page-script.js', file]
    .map((one) => readAsset(one).replaceAll(/^import [^;]+;$|^export /gm, ''))
    .join('\n');

/** Only the script, if any, and the style of this page, no other origin, and no text as markup. */
const policyOf = (script: string) =>
  [
    ...(script === '' ? [] : [`script-src ${digestOf(script)}`]),
    `style-src ${digestOf(style)}`,
    "connect-src 'self'",
    "img-src 'self'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');

interface Page {
  readonly environment: UpstreamKind;
  readonly title: string;
  /** Markup. */
  readonly main: string;
  readonly script?: string;
}

/** What the page of a feature depends on. */
export interface PageFacts {
  readonly schema: GraphQLSchema;
  /** Whether callers need a key. */
  readonly requiresKey: boolean;
}

export interface FeaturePage {
  /** Of its list. The script finds the id of one object after a slash. */
  readonly path: string;
  readonly title: string;
  /** On the start page. */
  readonly description: string;
  readonly script: string;
  /** They run with `DOCUMENT_MODE=enforce` too. */
  documentsOf(graph: Pick<PageFacts, 'schema'>): readonly string[];
  /** Markup. */
  mainOf(facts: PageFacts): string;
}

export function routesOfPage(
  { path, title, script, mainOf }: FeaturePage,
  facts: PageFacts & Pick<Page, 'environment'>,
): Routes {
  const page = { ...facts, title: `${title} of reseller-graph`, main: mainOf(facts), script };
  const route: Route = (request) => (acceptsPage(request) ? respondWith(page) : null);
  return { [path]: route, [`${path}/*`]: route };
}

export const respondWith = ({ environment, title, main, script = '' }: Page): RouteResponse =>
  pageResponse(
    `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title} (${environment})</title>
<link rel="icon" href="${iconPath}">
<style>${style}</style>
</head>
<body>
<header><p class="environment ${environment}">${environmentBanner[environment]}</p></header>
<main>
${main}
</main>
${script && `<script type="module">${script}</script>`}
</body>
</html>
`,
    policyOf(script),
  );

/** The form of the key; `note` says what the page does with it. */
export const keyFormOf = (action: string, note: string): string =>
  `<form id="key-form" autocomplete="off">
<label for="key">API key or token</label>
<input id="key" type="password" autocomplete="off" spellcheck="false" required aria-describedby="key-note">
<button type="submit">${action}</button>
<button type="button" id="forget-key" hidden>Forget the key</button>
<p id="key-note">${note} The page sends the key to this gateway only, as a header. The browser stores it for this tab (<code>sessionStorage</code>), until the tab is closed or you forget the key.</p>
</form>`;
