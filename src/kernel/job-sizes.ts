/** Lines of one order at most. */
export const maxOrderLines = 500;
/** Domains of one bulk change at most. */
export const maxBulkChangeDomains = 2_000;
