/** States, by the raw status alone, of a registration that may have expired in them. */
export const expiringStates: ReadonlySet<string> = new Set([
  'ACTIVE',
  'PENDING_REGISTRATION',
  'OTHER',
]);

/** Whether a domain in this state is an expired registration that is not yet deleted or in redemption. */
export const isExpired = (state: string, expiresAt: Date | null, now: Date): boolean =>
  expiresAt !== null && expiresAt <= now && expiringStates.has(state);
