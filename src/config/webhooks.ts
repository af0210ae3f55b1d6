import { z } from 'zod';
import { defaultTenant } from '../kernel/caller.ts';
import { eventTypes } from '../kernel/event-types.ts';
import { Secret } from '../kernel/secret.ts';
import { isWebhookSecret, webhookUrlFlaw } from '../kernel/webhook-url.ts';
import { shortName } from './api-keys.ts';
import { areDifferent, json, ruled } from './formats.ts';

const secretRule = 'a list of one or two secrets, "whsec_" and 24 to 64 bytes in base64';

const webhook = z.strictObject(
  {
    // WEBHOOKS_ALLOW_PRIVATE decides about http; a rule between settings checks it.
    url: ruled(
      'an https URL without credentials and fragment',
      z
        .string()
        .refine((text) => webhookUrlFlaw(text, true) === null)
        .transform((text) => new URL(text).href),
    ),
    secrets: ruled(secretRule, z.array(z.string().refine(isWebhookSecret)).min(1).max(2)),
    types: ruled(`a list of ${eventTypes.join(', ')}`, z.array(z.enum(eventTypes))).default([]),
    description: ruled('a text of up to 200 characters', z.string().max(200)).optional(),
    tenant: shortName.default(defaultTenant),
  },
  'an object with "url" and "secrets", perhaps "types", "description" and "tenant", and nothing else',
);

/** A webhook of WEBHOOKS. */
export interface WebhookSetting {
  readonly name: string;
  readonly url: string;
  /** Each signs every request. */
  readonly secrets: readonly Secret[];
  readonly types: readonly (typeof eventTypes)[number][];
  readonly description: string | null;
  readonly tenant: string;
}

export const webhooks = json(
  'webhooks such as {"crm":{"url":"https://crm.example/events","secrets":["whsec_<44 characters>"]}}',
  z
    .record(shortName, webhook, 'an object with a webhook for each name')
    .refine(
      (all) => areDifferent(Object.values(all).map(({ tenant, url }) => `${tenant} ${url}`)),
      'an object in which no two webhooks of a tenant have the same "url"',
    ),
).transform((all): readonly WebhookSetting[] =>
  Object.entries(all).map(([name, { secrets, description = null, ...row }]) => ({
    ...row,
    name,
    description,
    secrets: secrets.map((secret) => new Secret(secret)),
  })),
);
