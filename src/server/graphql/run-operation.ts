import type { ExecutionResult, GraphQLError, GraphQLSchema } from 'graphql';
import { execute } from '../../lib/graphql-js.ts';
import { lazy } from '../../lib/lazy.ts';
import type { HttpRequest, RequestScope } from '../http/http-request.ts';
import { createQueryExecutor } from './compiled/execute-query.ts';
import type { WrittenResult } from './compiled/run.ts';
import type { DocumentReader, Documents } from './documents.ts';
import type { RequestedOperation, Rules } from './rule.ts';
import { coerceVariables } from './values/coerced-values.ts';

interface RunnerOptions {
  readonly schema: GraphQLSchema;
  readonly schemaFor: Documents['schemaFor'];
  readonly rules: Rules;
  /** Also sets `request.scope`. */
  readonly createScope: (request: HttpRequest) => RequestScope;
  /** Whether queries are compiled; results are the same. */
  readonly compilesQueries: boolean;
}

/** The errors with which an operation was refused, unmasked, or the finished result and its text as JSON. */
export type RunResult =
  | { readonly refusal: readonly GraphQLError[] }
  | { readonly result: ExecutionResult; readonly text: string; readonly scope: RequestScope };

export type OperationRunner = ReturnType<typeof createOperationRunner>;

/** Reads and runs operations of the served graph. */
export interface Operations {
  readonly schema: GraphQLSchema;
  readonly rules: Rules;
  readonly readDocument: DocumentReader;
  readonly runOperation: OperationRunner;
}

/** An operation with its variables as the client sent them. */
export type Runnable = Omit<RequestedOperation, 'coerceVariables'>;

/** Creates the scope of an operation, and checks it by the rules. */
export async function beginOperation(
  { schema, rules, createScope }: Pick<RunnerOptions, 'schema' | 'rules' | 'createScope'>,
  request: HttpRequest,
  runnable: Runnable,
) {
  const { operation, variables } = runnable;
  const scope = createScope(request);
  const requested = {
    ...runnable,
    coerceVariables: lazy(() => coerceVariables(schema, operation, variables)),
  };
  return { scope, requested, refusal: await rules.checkOperation(requested, request) };
}

/**
 * Creates the function that checks an operation whose response has one part by the rules, and executes it. The result may be incomplete when the client
 * has disconnected, because the executor stops then.
 */
export function createOperationRunner(options: RunnerOptions) {
  const { schema, schemaFor, rules } = options;
  const executeQuery = options.compilesQueries ? createQueryExecutor(schema) : null;
  return async (request: HttpRequest, runnable: Runnable): Promise<RunResult> => {
    const { scope, requested, refusal } = await beginOperation(options, request, runnable);
    if (refusal) return { refusal: [refusal] };
    const isAbandoned = () => request.response.destroyed;
    const compiled = executeQuery?.(requested, scope, isAbandoned);
    const { result, dataText } = await (compiled ??
      executeWhole(schemaFor(runnable.text, request.caller), requested, scope));
    if (!('data' in result)) return { refusal: result.errors ?? [] };
    const finished = rules.finishResult(result, request);
    return { result: finished, text: resultText(finished, dataText), scope };
  };
}

/** Executes with graphql-js. */
async function executeWhole(
  schema: GraphQLSchema,
  { document, operation, variables }: RequestedOperation,
  scope: RequestScope,
): Promise<WrittenResult> {
  const result = await execute({
    schema,
    document,
    operationName: operation.name?.value,
    contextValue: scope,
    variableValues: variables,
  });
  return { result, dataText: JSON.stringify(result.data) };
}

/** The result as JSON, with this text of data that is not null. */
export function resultText(result: ExecutionResult, dataText: string): string {
  const members = Object.entries(result).flatMap(([name, value]) => {
    const text = name === 'data' && value !== null ? dataText : JSON.stringify(value);
    return text === undefined ? [] : `${JSON.stringify(name)}:${text}`;
  });
  return `{${members.join()}}`;
}
