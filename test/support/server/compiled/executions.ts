import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  type GraphQLError,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { createQueryExecutor } from '../../../../src/server/graphql/compiled/execute-query.ts';
import { coerceVariables } from '../../../../src/server/graphql/values/coerced-values.ts';

export interface Query {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Messages about bugs of the graph, of graphql-js and of compiled queries. They quote values, and no client sees them. */
const ofBug =
  /^(?:Expected `|Expected value of type|Abstract type|Runtime Object type|Support for returning|The type ".*" serializes|No object type|The value of field)/;

/** The text of a response, and whether its data is null. */
function written(result: ExecutionResult, dataText: string) {
  const errors = result.errors?.map((error: GraphQLError) => ({
    ...error.toJSON(),
    ...(ofBug.test(error.message)
      ? { message: 'a bug of the graph' }
      : { cause: String(error.originalError) }),
  }));
  const head = errors ? [`"errors":${JSON.stringify(errors)}`] : [];
  if (!('data' in result)) return `{${head}}`;
  // The rules of the server see whether the data is null.
  const isNull = result.data === null;
  return `{${[...head, `"data":${dataText}`].join()}} null: ${isNull}`;
}

export async function executeWithGraphqlJs(
  schema: GraphQLSchema,
  { document, variables }: Query,
  contextValue: unknown,
): Promise<string> {
  const result = await execute({ schema, document, contextValue, variableValues: variables });
  return written(result, JSON.stringify(result.data));
}

/** Creates the function that executes with compiled queries. Null for an operation that graphql-js has to execute. */
export function createCompiledExecution(schema: GraphQLSchema, isAbandoned = () => false) {
  const executeQuery = createQueryExecutor(schema);
  return async (query: Query, context: unknown): Promise<string | null> => {
    const { operation, variables } = query;
    const coerce = () => coerceVariables(schema, operation, variables);
    const requested = { ...query, coerceVariables: coerce };
    // The first time it only notes the operation.
    const executed =
      executeQuery(requested, context, isAbandoned) ??
      executeQuery(requested, context, isAbandoned);
    if (!executed) return null;
    const { result, dataText } = await executed;
    return written(result, dataText);
  };
}
