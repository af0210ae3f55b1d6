/** The types of events, in the order of the documents. */
export const eventTypes = [
  'DOMAIN_ADDED',
  'DOMAIN_REMOVED',
  'STATE_CHANGED',
  'EXPIRY_CHANGED',
  'EXPIRING',
  'NAME_SERVERS_CHANGED',
  'TRANSFER_LOCK_CHANGED',
  'PRIVACY_CHANGED',
] as const;

export type EventType = (typeof eventTypes)[number];
