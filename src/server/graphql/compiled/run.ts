import {
  type ExecutionResult,
  type GraphQLError,
  type GraphQLFieldResolver,
  type GraphQLResolveInfo,
  locatedError,
  responsePathAsArray,
} from 'graphql';
import { variableValuesOf } from '../../../lib/graphql-js.ts';

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

/** A list of a run whose items are completed later, one by one. */
export interface StreamedList {
  /** The items from this index on. */
  readonly from: number;
  readonly source: AsyncIterator<unknown>;
  readonly info: FieldInfo;
  readonly item: ValuePlan;
}

/** One execution of a query. */
export class QueryRun {
  /** Null until the list is there, and without one. */
  streamed: StreamedList | null = null;
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

export type Completed = Text | Promise<Settled>;

/** How the value of a field, or of each item of a list, is completed. */
export interface ValuePlan {
  readonly isNonNull: boolean;
  /** @throws the error that makes the value null. */
  readonly complete: (info: FieldInfo, path: Path, value: unknown) => Completed;
}

/** A field of one object type, with all nodes of the document that select it under one response name. */
export interface FieldPlan extends ValuePlan {
  readonly responseName: string;
  /** The response name as JSON, with its colon. */
  readonly label: string;
  readonly info: SharedInfo;
  readonly resolve: GraphQLFieldResolver<unknown, unknown>;
  /** @throws GraphQLError when an argument is invalid. */
  readonly readArguments: (variables: QueryRun['variables']) => Record<string, unknown>;
}

/** The fields to execute on an object of one type. */
export type SelectionPlan = readonly FieldPlan[];

/** The part of `info` that is the same for each execution of a document. */
export type SharedInfo = Omit<
  GraphQLResolveInfo,
  'path' | 'variableValues' | 'getAbortSignal' | 'getAsyncHelpers'
>;

/**
 * The `info` of a resolver, which is its `path` too. Few resolvers read it: an object with all its members would cost more CPU
 * time than most resolvers.
 */
export class FieldInfo implements GraphQLResolveInfo, Path {
  readonly run: QueryRun;
  readonly field: FieldPlan;
  readonly prev: Path | undefined;

  constructor(run: QueryRun, field: FieldPlan, prev: Path | undefined) {
    this.run = run;
    this.field = field;
    this.prev = prev;
  }

  get key() {
    return this.field.responseName;
  }
  get typename() {
    return this.parentType.name;
  }
  get path(): Path {
    return this;
  }
  get variableValues() {
    return variableValuesOf(this.run.variables);
  }
  get fieldName() {
    return this.field.info.fieldName;
  }
  get fieldNodes() {
    return this.field.info.fieldNodes;
  }
  get returnType() {
    return this.field.info.returnType;
  }
  get parentType() {
    return this.field.info.parentType;
  }
  get schema() {
    return this.field.info.schema;
  }
  get fragments() {
    return this.field.info.fragments;
  }
  get rootValue() {
    return this.field.info.rootValue;
  }
  get operation() {
    return this.field.info.operation;
  }
  // Of graphql-js 17. No resolver of the graph calls them.
  getAbortSignal(): undefined {}
  getAsyncHelpers(): never {
    throw new Error('Compiled queries have no helpers.');
  }
}
