/** A quote or preview of a tool, which a handle names. */
export interface HandleRow {
  /** A hash of the handle, 64 hexadecimal digits. */
  readonly id: string;
  readonly account: string;
  /** The name of the key; empty with open access. */
  readonly caller: string;
  /** The tool that accepts the handle. */
  readonly tool: string;
  /** JSON, encrypted with a key that is derived from the handle. */
  readonly input: string;
  readonly expires_at: string;
}

export interface HandleTables {
  readonly handles: HandleRow;
}
