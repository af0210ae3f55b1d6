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
