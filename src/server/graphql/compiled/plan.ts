import type { GraphQLFieldResolver, GraphQLResolveInfo } from 'graphql';
import { variableValuesOf } from '../../../lib/graphql-js.ts';
import type { Path, QueryRun, Settled, Text } from './run.ts';

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
