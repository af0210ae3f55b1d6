import type { Secret } from '../../kernel/secret.ts';
import type { Deliveries } from './deliveries.ts';
import type { Outbound } from './outbound.ts';
import type { Sender } from './sender.ts';

/** What the webhooks of one tenant need, for the life of the process. */
export interface WebhookDeps {
  readonly outbound: Pick<Outbound, 'flawOf'>;
  readonly sender: Sender;
  readonly deliveries: Pick<Deliveries, 'wake'>;
  readonly newSecret: () => Secret;
  /** Whether http and addresses that are not public are allowed. */
  readonly allowsPrivate: boolean;
  /** Aborts when the tenant closes. */
  readonly stop: AbortSignal;
  close(): Promise<void>;
}
