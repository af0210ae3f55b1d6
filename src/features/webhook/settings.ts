import { z } from 'zod';
import { shortName } from '../../config/credentials.ts';
import { featureSettings } from '../../config/feature-settings.ts';
import { areDifferent, flag, json, ruled } from '../../config/formats.ts';
import { defaultTenant } from '../../kernel/caller.ts';
import { addedEnumValues } from '../../kernel/enum-values.ts';
import { Secret } from '../../kernel/secret.ts';
import { type EventType, eventTypeTexts } from '../../scope/hooks.ts';
import { standard } from './format.ts';
import { isWebhookSecret, webhookUrlFlaw } from './url.ts';

const formatNames = () => [standard, ...Object.keys(addedEnumValues('WebhookFormat'))];

const secretRule = 'a list of one or two secrets, "whsec_" and 24 to 64 bytes in base64';

const webhook = z.strictObject(
  {
    // WEBHOOKS_ALLOW_PRIVATE decides about http.
    url: ruled(
      'an https URL without credentials and fragment',
      z
        .string()
        .refine((text) => webhookUrlFlaw(text, true) === null)
        .transform((text) => new URL(text).href),
    ),
    secrets: ruled(secretRule, z.array(z.string().refine(isWebhookSecret)).min(1).max(2)).default(
      [],
    ),
    // Features add types after this module is loaded.
    types: ruled(
      () => `a list of ${Object.keys(eventTypeTexts).join(', ')}`,
      z.array(z.custom<EventType>((type) => Object.hasOwn(eventTypeTexts, String(type)))),
    ).default([]),
    description: ruled('a text of up to 200 characters', z.string().max(200)).optional(),
    // Features add formats after this module is loaded.
    format: ruled(
      () => `one of ${formatNames().join(', ')}`,
      z.string().refine((name) => formatNames().includes(name)),
    ).default(standard),
    chatId: ruled('a text', z.string().trim().min(1).max(64)).nullable().default(null),
    tenant: shortName.default(defaultTenant),
  },
  'an object with "url" and "secrets", perhaps "types", "description" and "tenant", and nothing else',
);

/** A webhook of WEBHOOKS. */
interface WebhookSetting {
  readonly name: string;
  readonly url: string;
  /** Each signs every request. */
  readonly secrets: readonly Secret[];
  readonly types: readonly EventType[];
  readonly description: string | null;
  readonly format: string;
  readonly chatId: string | null;
  readonly tenant: string;
}

const webhooks = json(
  'webhooks such as {"crm":{"url":"https://crm.example/events","secrets":["whsec_<44 characters>"]}}',
  z
    .record(shortName, webhook, 'an object with a webhook for each name')
    .refine(
      (all) =>
        areDifferent(
          Object.values(all).map(({ tenant, url, chatId }) => `${tenant} ${url} ${chatId ?? ''}`),
        ),
      'an object in which no two webhooks of a tenant have the same "url"',
    )
    .refine(
      (all) =>
        Object.values(all).every(
          ({ format, secrets }) => (format === standard) === secrets.length > 0,
        ),
      'an object in which each webhook of signed events has "secrets", and no other',
    ),
).transform((all): readonly WebhookSetting[] =>
  Object.entries(all).map(([name, { secrets, description = null, ...row }]) => ({
    ...row,
    name,
    description,
    secrets: secrets.map((secret) => new Secret(secret)),
  })),
);

export const webhookSettings = featureSettings({
  title: 'Webhooks',
  rows: {
    WEBHOOKS: {
      example:
        '{"crm":{"url":"https://crm.example/events","secrets":["whsec_<44 characters>"],"types":["EXPIRING"]}}',
      description: 'Webhooks by name, in JSON; see docs/events.md.',
      secret: true,
      schema: webhooks.default([]),
    },
    WEBHOOKS_ALLOW_PRIVATE: {
      default: 'false',
      description:
        'Allows http and addresses that are not public as the targets of webhooks. For development: a client can then send requests into your network.',
      schema: flag.default(false),
    },
  },
  check({ WEBHOOKS, WEBHOOKS_ALLOW_PRIVATE }, { isLive, tenants }) {
    const unknown = WEBHOOKS.filter(({ tenant }) => tenants?.includes(tenant) === false);
    return {
      errors: [
        !WEBHOOKS_ALLOW_PRIVATE &&
          WEBHOOKS.some(({ url }) => url.startsWith('http:')) &&
          'WEBHOOKS: each "url" must be an https URL, unless WEBHOOKS_ALLOW_PRIVATE is true.',
        ...unknown.map(
          ({ name, tenant }) =>
            `WEBHOOKS: the webhook "${name}" has the tenant "${tenant}", which is not in TENANTS.`,
        ),
      ],
      warnings: [
        isLive &&
          WEBHOOKS_ALLOW_PRIVATE &&
          'WEBHOOKS_ALLOW_PRIVATE=true lets every client with the scope "webhooks:write" send requests to addresses of your network; remove it in production.',
      ],
    };
  },
});
