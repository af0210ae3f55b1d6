import type { GraphQLFieldResolver } from 'graphql';
import type { FieldInfo, SharedInfo } from './field-info.ts';
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
