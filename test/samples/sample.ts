import type { Database } from '../../src/persistence/tables.ts';
import type { Target } from './target.ts';

/** Number of calls by upstream action; `{}` for none. */
export type Counts = Readonly<Record<string, number>>;

/** The calls of a selection after another document, or with another estimate than their sum. */
export interface Measured {
  /** A document that is sent first; the id in its result is `$id`. */
  readonly before?: string;
  readonly counts: Counts;
  readonly estimate?: number;
}

/** The upstream calls of a field, in words for the documentation and as selections that tests count. */
export interface FieldCost {
  /** The ordinary case, without cached data and without faults. */
  readonly calls: string;
  readonly exceptions?: string;
  /** By selection of the operation: the calls that the upstream receives, or the estimate alone. */
  readonly costs?: Readonly<Record<string, Counts | Measured | number>>;
}

/** Values of arguments by name. */
export type Arguments = Readonly<Record<string, unknown>>;

/** The write that a mutation sends to the upstream, without a read before. */
export type Write = {
  /** As the sandbox names the call: `modifynameserver`, `POST /carts`. */
  readonly action: string;
} & (
  | {
      /** A read after a lost reply shows whether the change was made. */
      readonly lost: 'verified';
      /** The members of the payload that show the change, as a selection and with their values. */
      readonly select: string;
      readonly shows: (target: Target) => object;
      /** The changed members of the domain in the sandbox. */
      readonly stored: (target: Target) => object;
    }
  | {
      /** The outcome is unknown after a lost reply. */
      readonly lost: 'unknown';
      /** Whether a client can send the mutation again safely. */
      readonly retryable: boolean;
      /** The end of the message of the error. */
      readonly nextStep: string;
    }
  | {
      /** `repeated`: sent once more without a read. `settled`: a purchase, which the reconciler settles. */
      readonly lost: 'repeated' | 'settled';
    }
);

/** Another value of a field, for an input that is not `base`. It changes nothing unless the rest of the input is this one. */
export class With {
  readonly base: object;
  readonly value: unknown;
  constructor(base: object, value: unknown) {
    this.base = base;
    this.value = value;
  }
}

/**
 * An input of which each field has two values, whose outcomes differ. In every text `$` stands for the label of a run, so that no two
 * runs share a name or a key, and `%profile` for the id of a new profile.
 */
export interface InputRow {
  /** The value of the argument `input`; of a field without it all arguments. */
  readonly base: object;
  /** The selection for the comparison, where that of the sample shows what other runs change. */
  readonly select?: string;
  /** Where the values of the input type are in `base`. Default: they are `base`. */
  readonly at?: readonly string[];
  /** For each field another value than that of `base`, or an input that has neither, with both. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A request of one root field, for the tests of all root fields and for docs/reference/costs.md. */
export interface Sample extends FieldCost {
  /** The calls of the document of the sample about an unknown name and unknown ids. */
  readonly counts?: Counts;
  /** One or more requests; a test of one request sends the last. Names, ids, keys and cursors in them are those of the target. */
  readonly args: (target: Target) => Arguments | readonly Arguments[];
  /** The selection of the field. That of a mutation has all members of `errors` too. */
  readonly select?: string;
  /**
   * How the field responds to a caller of a customer.
   *
   * - `own`: data of the customer; a foreign name, id, key or cursor has the response of an unknown one, in as many calls
   * - `unnamed`: as `own`, and a query returns nothing that only the own customer can see
   * - `public`: the response is that of a caller that is bound to no customer
   * - `refused`: FORBIDDEN, whatever scopes the caller has
   */
  readonly customers: 'own' | 'unnamed' | 'public' | 'refused';
  /** The input types that the field shows, by name. Each type is in one sample. */
  readonly inputs?: Readonly<Record<string, InputRow>>;
  /**
   * For the tests of lost replies and of other faults. One mutation has it for each write of the upstream. Another mutation that sends
   * this write has it not, and a test of its own.
   */
  readonly write?: Write;
}

export interface QuerySample extends Sample {
  /**
   * Whether the response cache may store the response: for each request of the sample, or by selection of the operation. It must
   * not store data that this gateway or another replica changes, or that is read from the registrar each time.
   */
  readonly cached: boolean | Readonly<Record<string, boolean>>;
}

/** An object of the journal that requests name by its id. */
export interface StoredObject {
  /** Its type in the graph. */
  readonly type: string;
  /** A mutation without its keyword that creates one. The label is in its texts, and the first member of the payload is the object. */
  readonly create?: (label: string) => string;
  /** Stores one of the caller and the customer `bolt`, where no mutation creates one. Returns its key. */
  readonly insert?: (database: Database, account: string, label: string) => Promise<string>;
}

/** Fields that a feature adds to input types of others, by a root field that has the type. */
export type AddedInputs = Readonly<Record<string, Readonly<Record<string, InputRow>>>>;

/** By type and field, such as `Query.domain`. */
export interface Samples {
  readonly [query: `Query.${string}`]: QuerySample;
  readonly [other: `Mutation.${string}` | `Subscription.${string}`]: Sample;
}

/** Costs of fields below the roots that cost more than their parent, by type and field. */
export type NestedCosts = Readonly<Record<string, FieldCost>>;

/** A subscription that reads the journal. */
export const stored = { calls: 'none: reads the journal', customers: 'own' } as const;
export const storedQuery = { ...stored, counts: {}, cached: false } as const;
/** A mutation that sends nothing to the upstream. */
export const local = { ...stored, calls: 'none: writes the journal', counts: {} } as const;
