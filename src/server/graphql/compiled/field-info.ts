import type { GraphQLResolveInfo } from 'graphql';
import type { FieldPlan } from './plan.ts';
import type { Path, QueryRun } from './run.ts';

/** The part of `info` that is the same for each execution of a document. */
export type SharedInfo = Omit<GraphQLResolveInfo, 'path' | 'variableValues'>;

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
    return this.run.variables;
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
}
