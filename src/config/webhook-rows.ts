import * as format from './formats.ts';
import type { SettingRow } from './setting-row.ts';
import { webhooks } from './webhooks.ts';

export const webhookRows = {
  WEBHOOKS: {
    to: 'webhooks.configured',
    example:
      '{"crm":{"url":"https://crm.example/events","secrets":["whsec_<44 characters>"],"types":["EXPIRING"]}}',
    description: 'Webhooks by name, in JSON; see docs/webhooks.md.',
    secret: true,
    schema: webhooks.default([]),
  },
  WEBHOOKS_ALLOW_PRIVATE: {
    to: 'webhooks.allowsPrivate',
    default: 'false',
    description:
      'Allows http and addresses that are not public as the targets of webhooks. For development: a client can then send requests into your network.',
    schema: format.flag.default(false),
  },
} satisfies Record<string, SettingRow>;
