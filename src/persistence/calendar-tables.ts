/** A file of expiry dates that a calendar program reads without a key. */
export interface CalendarFeedRow {
  readonly account: string;
  readonly id: string;
  /** Empty for a feed of the reseller. */
  readonly customer: string;
  readonly name: string;
  /** JSON: conditions for the labels of its domains. */
  readonly labels: string;
  /** SHA-256 of the secret in its address, 64 hexadecimal digits. */
  readonly secret_sha256: string;
  readonly created_at: string;
}

export interface CalendarTables {
  readonly calendar_feeds: CalendarFeedRow;
}
