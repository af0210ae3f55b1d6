import { featureSettings } from '../../config/feature-settings.ts';
import * as format from '../../config/formats.ts';
import { thresholds } from '../../config/spend-limits.ts';

export const eventSettings = featureSettings({
  title: 'Events',
  rows: {
    EVENTS_INTERVAL_SECONDS: {
      default: '`300` with `live`, `10` with the sandbox',
      example: '300',
      description:
        'Seconds between two comparisons of the domains of a tenant, which find events; see docs/events.md. 0 disables them.',
      schema: format.optionalSeconds(0, 86_400),
    },
    EVENTS_RETENTION_DAYS: {
      description: 'Days after which events are deleted.',
      ...format.number(1, 3_650, 90),
    },
    EXPIRY_EVENT_DAYS: {
      description: 'Days before the expiry of a domain at which `EXPIRING` is an event.',
      ...format.numbers(1, 365, [60, 30, 7, 1]),
    },
    BALANCE_LOW: {
      example: 'USD:100,EUR:50',
      description: 'Amounts by currency below which the balance of the account is an event.',
      ...thresholds,
    },
    RENEWALS_DAYS: {
      description: 'The balance must cover the renewals of this many days. 0 disables the check.',
      ...format.number(0, 365, 30),
    },
    SPEND_LIMIT_NEAR_PERCENT: {
      description:
        'Percentage of a daily spend limit from which on `SPEND_LIMIT_NEAR` is an event; see docs/events.md.',
      ...format.number(1, 99, 80),
    },
  },
  recommend: ({ EVENTS_INTERVAL_SECONDS: everyMs, BALANCE_LOW: balanceLow }) => [
    {
      point: 'events',
      holds: everyMs !== 0,
      ok: 'The gateway looks for events.',
      advice: 'The gateway looks for no events; set EVENTS_INTERVAL_SECONDS to 300.',
    },
    {
      point: 'low balance',
      holds: balanceLow.length > 0,
      ok: 'A low balance is an event.',
      advice: 'A low balance is no event; set BALANCE_LOW, such as USD:100.',
    },
  ],
});
