/** Calls by the name under which the upstream knows them; none is `{}`. */
export type Counts = Readonly<Record<string, number>>;

/** One document and what it made the upstream receive. */
export interface Measured {
  readonly document: string;
  readonly counts: Counts;
  /** Sent before the counting begins; what its only field answers with is the `$id` of `document`. */
  readonly before?: string;
}

/** What a field costs, in words for the README and as something that a test measures. */
export interface FieldCost {
  /** `Type.field`. */
  readonly field: string;
  readonly calls: string;
  readonly measured: readonly Measured[];
}
