import {
  type ExecutionResult,
  type GraphQLError,
  type GraphQLResolveInfo,
  locatedError,
  responsePathAsArray,
} from 'graphql';

/** JSON text. Null is the value null; undefined is a value without JSON text, such as a function. */
export type Text = string | null | undefined;

/** A list that was pending is settled as its items: their text would take one more turn of the microtask queue. */
export type Settled = Text | readonly Settled[];

export type Path = GraphQLResolveInfo['path'];

/** A result with its data as JSON text. `result.data` only shows whether the data is null. */
export interface WrittenResult {
  readonly result: ExecutionResult;
  readonly dataText: string;
}

type VariableValues = Readonly<Record<string, unknown>>;

/** A character that `JSON.stringify` may escape. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON escapes control characters.
const escaped = /["\\\u0000-\u001f\ud800-\udfff]/;

/** One execution of a query. */
export class QueryRun {
  readonly context: unknown;
  readonly variables: VariableValues;
  /** Whether the client has disconnected, so that the result will not be sent. */
  readonly isAbandoned: () => boolean;
  readonly #errors: GraphQLError[] = [];
  readonly #nulled = new Set<Path | undefined>();

  constructor(context: unknown, variables: VariableValues, isAbandoned: () => boolean) {
    this.context = context;
    this.variables = variables;
    this.isAbandoned = isAbandoned;
  }

  /** Null for the value of a field or list item that failed. @throws the located error when the value cannot be null. */
  fail(cause: unknown, { fieldNodes }: GraphQLResolveInfo, path: Path, isNonNull: boolean): null {
    // An error with its stack costs more CPU time than its field.
    if (this.isAbandoned()) return null;
    const error = locatedError(cause, fieldNodes, responsePathAsArray(path));
    if (isNonNull) throw error;
    this.#report(error, path);
    return null;
  }

  /** The JSON text of a serialized value. @throws for a value that JSON cannot represent, such as a BigInt. */
  textOf(value: unknown): Text {
    if (typeof value === 'string' && !escaped.test(value)) return `"${value}"`;
    if (typeof value === 'boolean' || Number.isFinite(value)) return `${value}`;
    return JSON.stringify(value);
  }

  end(data: Settled): WrittenResult {
    const shown = { data: data === null ? null : {} };
    const result = this.#errors.length > 0 ? { errors: this.#errors, ...shown } : shown;
    return { result, dataText: `${data}` };
  }

  /** Ends with an error that no nullable field caught. */
  endWith(error: unknown): WrittenResult {
    this.#report(error as GraphQLError, undefined);
    return this.end(null);
  }

  /** Ignores errors below a value that is null already. */
  #report(error: GraphQLError, path: Path | undefined): void {
    for (let at = path; at; at = at.prev) if (this.#nulled.has(at)) return;
    if (this.#nulled.has(undefined)) return;
    this.#nulled.add(path);
    this.#errors.push(error);
  }
}
