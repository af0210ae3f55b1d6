/** The types of events, in the order of the documents. */
export const eventTypes = [
  'DOMAIN_ADDED',
  'DOMAIN_REMOVED',
  'STATE_CHANGED',
  'EXPIRY_CHANGED',
  'EXPIRING',
  'NAME_SERVERS_CHANGED',
  'TRANSFER_UNLOCKED',
  'TRANSFER_LOCKED',
  'PRIVACY_CHANGED',
  'PURCHASE_SETTLED',
  'TRANSFER_COMPLETED',
  'TRANSFER_REJECTED',
  'BALANCE_LOW',
  'RENEWALS_NOT_COVERED',
  'SPEND_LIMIT_NEAR',
  'SPEND_LIMIT_REACHED',
  'PRICE_CHANGED',
  'WEBHOOK_SUSPENDED',
] as const;

export type EventType = (typeof eventTypes)[number];
