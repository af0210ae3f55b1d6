import type { DomainEvent } from './documents.ts';
import { valueText } from './value-text.ts';

type Text = (event: DomainEvent) => string;

const fromTo =
  (title: string) =>
  ({ before, after }: DomainEvent) =>
    `${title}: ${valueText(before)} → ${valueText(after)}`;

/** The values of events that are words of the graph. */
const outcomes: Readonly<Record<string, string>> = {
  SUCCEEDED: 'succeeded',
  FAILED: 'failed',
  UNKNOWN: 'needs a check',
  REJECTED: 'rejected',
  CANCELLED: 'cancelled',
};

const ended =
  (title: string) =>
  ({ after }: DomainEvent) =>
    `${title} ${outcomes[after?.text ?? ''] ?? valueText(after)}`;

const texts: Readonly<Record<string, Text>> = {
  DOMAIN_ADDED: ({ after }) => `Added to the account: ${valueText(after)}`,
  DOMAIN_REMOVED: () => 'No longer in the account',
  STATE_CHANGED: fromTo('State'),
  EXPIRY_CHANGED: fromTo('Expires'),
  EXPIRING: ({ after }) =>
    after?.days === 1 ? 'Expires within a day' : `Expires within ${after?.text} days`,
  NAME_SERVERS_CHANGED: fromTo('Name servers'),
  TRANSFER_LOCKED: () => 'Transfer lock set',
  TRANSFER_UNLOCKED: () => 'Transfer lock removed',
  PRIVACY_CHANGED: fromTo('Privacy'),
  PURCHASE_SETTLED: ended('Purchase'),
  APPROVAL_REQUESTED: () => 'Approval requested',
  APPROVAL_GRANTED: () => 'Approval given',
  APPROVAL_REJECTED: () => 'Approval refused',
  APPROVAL_EXPIRED: () => 'Approval not given in time',
  TRANSFER_COMPLETED: () => 'Transfer completed',
  TRANSFER_REJECTED: ended('Transfer'),
  // These are not about a domain.
  PAYMENT_DUE: () => 'Payment due',
  PAYMENT_CONFIRMED: () => 'Payment confirmed',
  PAYMENT_EXPIRED: () => 'Payment not made in time',
  REFUND_DUE: () => 'Refund due',
  REFUND_WITHDRAWN: () => 'Refund withdrawn',
  BALANCE_LOW: fromTo('Balance'),
  PRICE_CHANGED: fromTo('Price'),
  RENEWALS_NOT_COVERED: fromTo('Renewals'),
  SPEND_LIMIT_NEAR: fromTo('Daily limit nearly used up'),
  SPEND_LIMIT_REACHED: fromTo('Daily limit used up'),
  WEBHOOK_SUSPENDED: fromTo('Webhook suspended'),
} satisfies Record<DomainEvent['type'], Text>;

/** An event in words. The graph may have kinds that this storefront does not know. */
export const eventText = (event: DomainEvent): string =>
  (texts[event.type] ?? fromTo('Changed'))(event);

/** Who made a change through the gateway; empty for any other change. */
export function sourceText({ source, caller }: DomainEvent): string {
  if (source !== 'GATEWAY') return '';
  return caller === null ? 'through the gateway' : `by ${caller}`;
}
