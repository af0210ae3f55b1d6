import { faults } from '../../kernel/faults.ts';
import { html, prose } from './html.ts';
import { pageResponse } from './layout.ts';
import type { Surroundings } from './surroundings.ts';
import { table } from './table.ts';

const heads = ['code', 'what it says', 'try again', 'executed', 'at the top level'];

/** `/errors`: every error code, from the table that the gateway itself answers by. */
export const errorsPage = (surroundings: Surroundings): Response =>
  pageResponse({
    title: 'Errors of reseller-graph',
    surroundings,
    main: html`<nav><a href="/">reseller-graph</a></nav>
<h1>Errors</h1>
<p>${prose('Mutations answer refusals as data, in `errors` of their payload. Everything else is a GraphQL error at the top level, with one of the codes of the last column as `extensions.code` and the exact one as `extensions.fault`.')}</p>
<p>${prose('`executed` tells whether the service may have acted. `NO`: nothing happened; mend it and send again. `YES`: it happened. `UNKNOWN`: read before you send again; for a purchase, read the purchase.')}</p>
${table(heads, rows)}`,
  });

const rows = Object.entries(faults).map(([code, { message, retryable, executed, topLevel }]) => ({
  id: code,
  cells: [
    html`<a href="#${code}"><code>${code}</code></a>`,
    prose(message),
    html`${retryable ? 'yes' : 'no'}`,
    html`${executed}`,
    html`<code>${topLevel}</code>`,
  ],
}));
