import { sharedHook } from '../../scope/tenant.ts';
import type { OutboundResponse } from './outbound.ts';
import type { DeliveryOutcome } from './progress.ts';

/** The format of signed events: Standard Webhooks. */
export const standard = 'STANDARD';

/** The type of a message that is no event. */
export const testType = 'WEBHOOK_TEST';

/** What a message says about an event. Texts come from the upstream or from callers. */
export interface ShownEvent {
  readonly type: string;
  readonly subject: string;
  readonly customer: string | null;
  readonly before: string | null;
  readonly after: string | null;
}

/** A chat service, which receives messages for people. Its URLs are credentials, and requests have no signature. */
export interface ChatFormat {
  readonly name: string;
  /** Whether the URL does not name the chat. */
  readonly needsChatId: boolean;
  /** The URL of the requests for a URL of a client. */
  readonly targetOf: (url: string) => string;
  /** One message with as many of the events as it can have, at least one. */
  readonly messageOf: (
    events: readonly ShownEvent[],
    chatId: string | null,
  ) => { readonly body: string; readonly count: number };
  /** How the service received a message. */
  readonly outcomeOf: (response: OutboundResponse) => Omit<DeliveryOutcome, 'status'>;
}

/** The chat services that webhooks can send to. */
export const chatFormats = sharedHook<ChatFormat>('chatFormats');

/** A URL as it is shown: that of a chat service is a credential. */
export const shownUrl = ({ url, format }: { readonly url: string; readonly format: string }) =>
  format === standard ? url : `${new URL(url).origin}/…`;
