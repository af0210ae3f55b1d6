/** A contact with a name. */
export interface ContactProfileRow {
  readonly account: string;
  readonly id: string;
  /** Empty for a profile of the reseller. */
  readonly customer: string;
  readonly name: string;
  /** JSON, or that JSON encrypted. */
  readonly contact: string;
  readonly created_at: string;
  readonly updated_at: string;
}

/** What a purchase has where its input has nothing. A null column is no default. */
export interface PurchaseDefaultsRow {
  readonly account: string;
  /** Empty for the defaults of all customers. */
  readonly customer: string;
  /** A profile that was deleted is none. */
  readonly profile_id: string | null;
  /** JSON. */
  readonly name_servers: string | null;
  /** 1 or 0, as `transfer_locked`. */
  readonly privacy_protected: number | null;
  readonly transfer_locked: number | null;
}

export interface ProfileTables {
  readonly contact_profiles: ContactProfileRow;
  readonly purchase_defaults: PurchaseDefaultsRow;
}
