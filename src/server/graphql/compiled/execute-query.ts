import type { DocumentNode, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import type { CoercedVariables } from '../../../lib/graphql-js.ts';
import { lazy } from '../../../lib/lazy.ts';
import { compileQuery } from './compile.ts';
import { executeFields } from './execute-fields.ts';
import type { SelectionPlan } from './plan.ts';
import { QueryRun, type WrittenResult } from './run.ts';

interface CompiledRequest {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly coerceVariables: () => CoercedVariables;
}

/**
 * Creates the function that executes queries as `execute` of graphql-js does, and writes their data as JSON text. It returns
 * null for an operation that graphql-js has to execute. A query is compiled when it is executed for the second time: a document
 * that contains its values is seldom sent twice, and compiling takes longer than one execution.
 */
export function createQueryExecutor(schema: GraphQLSchema) {
  const plans = new WeakMap<OperationDefinitionNode, () => SelectionPlan | null>();
  return (
    requested: CompiledRequest,
    context: unknown,
    isAbandoned: () => boolean,
  ): Promise<WrittenResult> | null => {
    const { document, operation } = requested;
    const planOf = plans.get(operation);
    if (!planOf) {
      plans.set(
        operation,
        lazy(() => compileQuery(schema, document, operation)),
      );
      return null;
    }
    const plan = planOf();
    return plan && execute(plan, requested, context, isAbandoned);
  };
}

async function execute(
  plan: SelectionPlan,
  { coerceVariables }: CompiledRequest,
  context: unknown,
  isAbandoned: () => boolean,
): Promise<WrittenResult> {
  const { coerced, errors } = coerceVariables();
  if (!coerced) return { result: { errors }, dataText: '' };
  const run = new QueryRun(context, coerced, isAbandoned);
  try {
    return run.end(await executeFields(run, plan, undefined, undefined));
  } catch (error) {
    return run.endWith(error);
  }
}
