import { Secret } from '../../../kernel/secret.ts';
import type { WebhookDeps } from '../deps.ts';

/** Webhooks of a tenant that sends nothing. */
export const noWebhooks: WebhookDeps = {
  outbound: { flawOf: async () => null },
  sender: {
    formatOf: () => null,
    canSend: () => false,
    send: async () => {
      throw new Error('This test sends no webhook.');
    },
  },
  deliveries: { wake: () => undefined },
  newSecret: () => new Secret('whsec_'),
  allowsPrivate: false,
  stop: new AbortController().signal,
  close: async () => undefined,
};
