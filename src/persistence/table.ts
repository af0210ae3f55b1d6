/** A table that belongs to a feature. */
export interface Table {
  readonly name: string;
  /** Its steps, oldest first, each the statements of one release. */
  readonly steps: readonly (readonly Statement[])[];
}

/** In the SQL that SQLite and PostgreSQL have in common, or in that of each, such as a trigger. */
type Statement = string | { readonly sqlite?: string; readonly postgres?: string };
