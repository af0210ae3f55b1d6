import { featureSettings } from '../../config/feature-settings.ts';
import * as format from '../../config/formats.ts';

export const paymentSettings = featureSettings({
  title: 'Payments',
  rows: {
    PAYMENT_REQUIRED: {
      description:
        'The callers that buy with paid orders only: `none`, `customers` for those that are bound to a customer, or `all`; see docs/payments.md.',
      ...format.choice(['none', 'customers', 'all'], 'none'),
    },
    MAX_COST_INCREASE: {
      description:
        'Percentage by which the cost of a line of a paid order may rise after its quote. The customer pays the frozen price.',
      ...format.number(0, 100, 0),
    },
  },
});
