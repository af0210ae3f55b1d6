/** Number of calls by upstream action; `{}` for none. */
export type Counts = Readonly<Record<string, number>>;

/** One document and the calls that the upstream receives for it. */
export interface Measured {
  readonly document: string;
  readonly counts: Counts;
  /** The estimate before execution, where it differs from the sum of `counts`. */
  readonly counted?: number;
  /** Sent before counting starts; the id in its result is `$id` of `document`. */
  readonly before?: string;
  /** Fault that the sandbox injects into calls of an action, `times` times; default 1. */
  readonly fault?: { readonly fault: string; readonly action: string; readonly times?: number };
}

/** The upstream calls of a field, in words for the documentation and as documents that a test measures. */
export interface FieldCost {
  /** `Type.field`. */
  readonly field: string;
  /** The ordinary case, without cached data and without faults. */
  readonly calls: string;
  readonly exceptions?: string;
  readonly measured: readonly Measured[];
}

/** The cost of a field that one document measures. */
export const costOf = (
  field: string,
  calls: string,
  document: string,
  counts: Counts = {},
): FieldCost => ({ field, calls, measured: [{ document, counts }] });
