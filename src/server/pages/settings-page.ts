import type { Setting } from '../../config/settings.ts';
import { type Html, html, prose } from './html.ts';
import { pageResponse } from './layout.ts';
import type { Surroundings } from './surroundings.ts';
import { table } from './table.ts';

/** `/settings`: what can be set, from the rows that the gateway reads by. Names, defaults and meaning, never a value. */
export const settingsPage = (surroundings: Surroundings, settings: readonly Setting[]): Response =>
  pageResponse({
    title: 'Settings of reseller-graph',
    surroundings,
    main: html`<nav><a href="/">reseller-graph</a></nav>
<h1>Settings</h1>
<p>${prose('Environment variables, read once at the start. None has to be set, and a wrong one stops the start with a sentence that says why. This page tells what can be set; what is set is told to nobody.')}</p>
${table(['setting', 'default', 'what it is'], settings.map(rowOf))}`,
  });

const rowOf = ({ name, default: shown, description, secret }: Setting) => ({
  id: name,
  cells: [
    html`<a href="#${name}"><code>${name}</code></a>`,
    shownDefault(shown),
    prose(secret ? `${description} Secret, so also as \`${name}_FILE\`.` : description),
  ],
});

/** A default that is a value stands as code; one that is a sentence has its own. */
const shownDefault = (text: string): Html =>
  prose(/[ `]/.test(text) || text === 'none' ? text : `\`${text}\``);
