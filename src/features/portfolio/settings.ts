import { featureSettings } from '../../config/feature-settings.ts';
import * as format from '../../config/formats.ts';

export const portfolioSettings = featureSettings({
  title: 'Known domains',
  rows: {
    PORTFOLIO_READS_PER_MINUTE: {
      description:
        'Calls of `getdetails` per minute and tenant, over all replicas, for known domains that the list of the registrar leaves out. Domains that were never read use up to ten times as many, at most 600. 0 reads none.',
      ...format.number(0, 600, 30),
    },
  },
});

/** Domains without a row are read this much faster than rows are renewed, so that an import is complete soon. */
const firstReadsFactor = 10;
const maxPerMinute = 600;

/** Calls per minute while some domains were never read. `perMinute` is the budget for rows that are renewed. */
export const firstReadsPerMinute = (perMinute: number): number =>
  Math.min(firstReadsFactor * perMinute, maxPerMinute);

/** How long the first read of some domains takes, in whole minutes; null when the background reads are disabled. */
export const minutesToRead = (domains: number, perMinute: number): number | null =>
  perMinute === 0 ? null : Math.ceil(domains / firstReadsPerMinute(perMinute));
