// @ts-check
import { linesOf, main, warning } from '../../server/ui/live-figures.js';
import { timeOf } from '../../server/ui/page-script.js';

/** @typedef {{ url: string, state: string, failingSince: string | null, suspendedReason: string | null }} Webhook */

/** @param {{ webhooks: readonly Webhook[] }} data */
linesOf.webhooks = ({ webhooks }) => [
  main(webhooks.length === 0 ? 'None' : `${webhooks.length} configured`),
  ...webhooks.flatMap(({ url, state, failingSince, suspendedReason }) => {
    // The rest of a URL may contain a secret.
    const { host } = new URL(url);
    if (state === 'SUSPENDED') return [warning(`${host} is suspended: ${suspendedReason}`)];
    if (failingSince === null) return [];
    return [warning(`${host} has failed since ${timeOf(failingSince)}.`)];
  }),
];
