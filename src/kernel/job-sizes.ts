export const maxOrderLines = 500;
export const maxBulkChangeDomains = 2_000;
