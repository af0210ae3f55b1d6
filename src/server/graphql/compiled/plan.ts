import type { GraphQLFieldResolver, GraphQLResolveInfo } from 'graphql';
import type { QueryRun } from './run.ts';

/** JSON text. Null is the value null; undefined is a value without JSON text, such as a function. */
export type Text = string | null | undefined;

/** A list that was pending is settled as its items: their text would take one more turn of the microtask queue. */
export type Settled = Text | readonly Settled[];

export type Completed = Text | Promise<Settled>;

export type Path = GraphQLResolveInfo['path'];

/** How the value of a field, or of each item of a list, is completed. */
export interface ValuePlan {
  readonly isNonNull: boolean;
  /** @throws the error that makes the value null. */
  readonly complete: (
    run: QueryRun,
    path: Path,
    info: GraphQLResolveInfo,
    value: unknown,
  ) => Completed;
}

/** A field of one object type, with all nodes of the document that select it under one response name. */
export interface FieldPlan extends ValuePlan {
  readonly responseName: string;
  /** The response name as JSON, with its colon. */
  readonly label: string;
  readonly info: Omit<GraphQLResolveInfo, 'path' | 'variableValues'>;
  readonly resolve: GraphQLFieldResolver<unknown, unknown>;
  /** @throws GraphQLError when an argument is invalid. */
  readonly readArguments: (variables: QueryRun['variables']) => Record<string, unknown>;
}

/** The fields to execute on an object of one type. */
export type SelectionPlan = readonly FieldPlan[];
