import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Html, html } from './html.ts';
import { iconPath } from './icon.ts';
import { type Surroundings, surroundingsSentence } from './surroundings.ts';

const style = readFileSync(new URL('style.css', import.meta.url), 'utf8');
const digest = createHash('sha256').update(style).digest('base64');

/** No script, nothing from elsewhere, and of styles only the one that is in the page. */
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${digest}'`,
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export interface Page {
  readonly title: string;
  readonly surroundings: Surroundings;
  readonly main: Html;
}

/** The page as an answer, with the banner that every page has. */
export const pageResponse = (page: Page): Response =>
  new Response(documentOf(page).text, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      vary: 'accept',
    },
  });

const documentOf = ({ title, surroundings, main }: Page): Html => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="${iconPath}">
<style>${new Html(style)}</style>
</head>
<body>
<p class="surroundings ${surroundings}">${surroundingsSentence[surroundings]}</p>
<main>
${main}
</main>
</body>
</html>
`;
