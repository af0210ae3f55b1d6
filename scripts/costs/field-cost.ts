/** Calls by the name under which the upstream knows them; none is `{}`. */
export type Counts = Readonly<Record<string, number>>;

/** One document and what it made the upstream receive. */
export interface Measured {
  readonly document: string;
  readonly counts: Counts;
  /** Calls that are counted before it is executed, where it may turn out to take fewer. */
  readonly counted?: number;
  /** Sent before the counting begins; the id that its one field answers with is the `$id` of `document`. */
  readonly before?: string;
  /** What the sandbox plays on the calls of an action; once unless `times` says otherwise. */
  readonly fault?: { readonly fault: string; readonly action: string; readonly times?: number };
}

/** What a field costs, in words for the README and as something that a test measures. */
export interface FieldCost {
  /** `Type.field`. */
  readonly field: string;
  readonly calls: string;
  readonly measured: readonly Measured[];
}
