import { type DocumentNode, type ExecutionResult, GraphQLError, getOperationAST } from 'graphql';
import { mapAsyncIterator, type Plugin, type YogaInitialContext } from 'graphql-yoga';
import type { HttpRequest } from '../../http/http-request.ts';
import { decodeBody, type Params, parseBody, parseQuery } from '../params.ts';
import type { RequestedOperation, Rules } from '../rule.ts';

/** The members that the app hands to Yoga with each request. */
export interface ServerContext {
  readonly httpRequest: HttpRequest;
}

/** The context of an operation, as far as Yoga makes it. */
interface RequestContext extends ServerContext {
  readonly params: YogaInitialContext['params'];
}

/** The members that Yoga hands to a plugin before an operation is executed. */
interface Start {
  readonly args: {
    readonly document: DocumentNode;
    readonly operationName?: string | null | undefined;
    readonly variableValues?: RequestedOperation['variables'];
    readonly contextValue: RequestContext;
  };
  readonly setResultAndStopExecution: (result: ExecutionResult) => void;
}

/** Runs the rules of the server on the Yoga path. */
export function useRules(rules: Rules): Plugin<RequestContext, ServerContext> {
  const onStart = async ({ args, setResultAndStopExecution }: Start): Promise<void> => {
    const { document, operationName, variableValues, contextValue } = args;
    const operation = getOperationAST(document, operationName);
    if (!operation) return;
    const text = contextValue.params.query ?? '';
    const refusal = await rules.checkOperation(
      { document, operation, text, variables: variableValues },
      contextValue.httpRequest,
    );
    if (refusal) setResultAndStopExecution({ errors: [refusal] });
  };
  return {
    // The order of the fast path: the head is checked before the body is read.
    async onRequestParse({ request, url, serverContext, setRequestParser }) {
      const refusal = await rules.checkRequest(serverContext.httpRequest);
      if (refusal) throw refusal;
      setRequestParser(
        request.method === 'POST'
          ? async (post) =>
              parseBody(decodeBody(new Uint8Array(await post.arrayBuffer()))) as object
          : () => parseQuery(url.searchParams) as object,
      );
    },
    onParams({ params, setParams }) {
      const resolved = rules.resolveParams(params as Params);
      if (resolved instanceof GraphQLError) throw resolved;
      setParams(resolved as typeof params);
    },
    onExecute: onStart,
    onSubscribe: onStart,
    // Errors of request parsing, of validation and of resolvers all reach this hook.
    onResultProcess({ serverContext: { httpRequest }, result, setResult }) {
      if (Array.isArray(result)) return;
      setResult(
        Symbol.asyncIterator in result
          ? mapAsyncIterator(result, (part) => rules.finishResult(part, httpRequest, true))
          : rules.finishResult(result, httpRequest),
      );
    },
  };
}
