/** A row of the audit log. A row is never changed. */
export interface AuditEntryRow {
  readonly account: string;
  /** From 1, without gaps. */
  readonly position: number;
  readonly at: string;
  /** The position of the operation whose end the row is; null for an operation. */
  readonly begun: number | null;
  /** The members from here to `input_hash` are null in the row of an end. */
  readonly operation: string | null;
  readonly domain: string | null;
  readonly caller: string | null;
  readonly customer: string | null;
  readonly tenant: string | null;
  readonly request_id: string | null;
  readonly address: string | null;
  readonly input_hash: string | null;
  /** Null for an operation that begins. */
  readonly outcome: string | null;
  readonly upstream_calls: number | null;
  readonly previous_hash: string;
  readonly hash: string;
}

/** The facts about all rows of the audit log of an account. */
export interface AuditLogRow {
  readonly account: string;
  /** Position and hash of the last row, which a trigger sets; 0 and an empty text before the first. */
  readonly position: number;
  readonly hash: string;
  /** Position and hash of the last row that was deleted because of its age; 0 and an empty text before the first. */
  readonly deleted_until: number;
  readonly deleted_hash: string;
  /** Of the hashes of inputs: 64 hexadecimal digits. */
  readonly input_key: string;
}

export interface AuditTables {
  readonly audit_entries: AuditEntryRow;
  readonly audit_logs: AuditLogRow;
}
