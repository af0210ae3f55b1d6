/** A table that belongs to a feature. */
export interface Table {
  readonly name: string;
  /** Its steps, oldest first, each the statements of one release in the SQL that SQLite and PostgreSQL have in common. */
  readonly steps: readonly (readonly string[])[];
}
