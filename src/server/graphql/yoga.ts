import { type ExecutionResult, type GraphQLSchema, getOperationAST } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import { execute } from '../../lib/graphql-js.ts';
import type { HttpRequest, RequestScope } from '../http/http-request.ts';
import { readBody, refusalError } from '../http/request-fault.ts';
import { unbuffered } from '../http/responses.ts';
import { graphqlPath } from '../http/routes.ts';
import {
  incrementalDeliveryFor,
  incrementalDirectives,
  singleResponseTypeFor,
  withoutIncrementalDirectives,
} from './delivery.ts';
import type { Documents } from './documents.ts';
import { headOf, partialSuccess, withoutHttp } from './exchange.ts';
import { decodeBody, type Params, parseBody, parseQuery } from './params.ts';
import { type CheckedStreams, checkedParts, executeAnnounced } from './pending-parts.ts';
import type { Rules } from './rule.ts';

export interface YogaOptions {
  readonly schema: GraphQLSchema;
  readonly rules: Rules;
  readonly maxBodyBytes: number;
  readonly documents: Documents;
  readonly createScope: (request: HttpRequest) => RequestScope;
  readonly openStreams: Set<AsyncIterable<unknown>>;
  readonly checkedStreams: CheckedStreams;
}

/** The members that this server hands to Yoga with each request. */
export interface ServerContext {
  readonly httpRequest: HttpRequest;
  /** Of a request whose body was read. */
  readonly body?: Buffer | undefined;
}

/** Only the first request that needs Yoga imports this file. */
export const openYoga = (options: YogaOptions) =>
  createYoga<ServerContext>({
    schema: options.schema,
    context: ({ httpRequest }) => options.createScope(httpRequest),
    graphqlEndpoint: graphqlPath,
    // `useRules` reads the body.
    maxRequestBodySize: false,
    multipart: false,
    cors: false,
    landingPage: false,
    graphiql: false,
    maskedErrors: false,
    // No path is a blank, which disables the health check of Yoga.
    healthCheckEndpoint: ' ',
    logging: false,
    parserAndValidationCache: false,
    plugins: [
      useDocuments(options.documents),
      // Before the plugins that execute, so that a refused operation does not start.
      useRules(options),
      useIncrementalDelivery(),
      useOpenStreams(options.openStreams),
      useResponseHeads(),
    ],
  });

/** Reads documents as the fast path does. */
const useDocuments = (documents: Documents): Plugin<ServerContext> => ({
  onParse({ setParseFn, context: { params } }) {
    setParseFn((text) => documents.parseOperation(String(text), params.operationName).document);
  },
  onValidate({ setValidationFn, context: { httpRequest } }) {
    setValidationFn((_schema, document) => documents.validate(document, httpRequest.caller));
  },
  onExecute({ args, context: { params, httpRequest } }) {
    args.schema = documents.schemaFor(params.query ?? '', httpRequest.caller);
  },
});

type RulesPlugin = Plugin<ServerContext, ServerContext>;
type Start = Parameters<NonNullable<RulesPlugin['onExecute']>>[0];

/** Runs the rules of the server. */
function useRules({ rules, maxBodyBytes, checkedStreams: streams }: YogaOptions): RulesPlugin {
  const onStart = async (start: Pick<Start, 'args' | 'setResultAndStopExecution'>) => {
    const { document, operationName, variableValues, contextValue } = start.args;
    const operation = getOperationAST(document, operationName);
    if (!operation) return;
    const text = contextValue.params.query ?? '';
    const refusal = await rules.checkOperation(
      { document, operation, text, variables: variableValues },
      contextValue.httpRequest,
    );
    if (refusal) start.setResultAndStopExecution({ errors: [refusal] });
  };
  return {
    // The order of the fast path: the head is checked before the body is read.
    async onRequestParse({ request, url, serverContext, setRequestParser }) {
      const { httpRequest, body } = serverContext;
      const refusal = await rules.check('onRequest', httpRequest);
      if (refusal) throw refusal;
      setRequestParser(
        request.method === 'POST'
          ? async () => {
              const read = body ?? (await readBody(httpRequest.node, maxBodyBytes));
              // Without a client the response has no reader.
              const text = decodeBody(read ?? Buffer.alloc(0));
              const refused = text === null ? null : rules.checkBody(text, httpRequest);
              if (refused) throw refusalError(refused);
              return parseBody(text) as object;
            }
          : () => parseQuery(url.searchParams) as object,
      );
    },
    onParams({ params, setParams }) {
      setParams(rules.resolveParams(params as Params) as typeof params);
    },
    onExecute: onStart,
    onSubscribe: onStart,
    // Errors of request parsing, of validation and of resolvers all reach this hook.
    onResultProcess({ serverContext: { httpRequest }, result, setResult }) {
      if (Array.isArray(result)) return;
      setResult(
        Symbol.asyncIterator in result
          ? checkedParts(result, { request: httpRequest, rules, streams })
          : withHead(rules.finishResult(result, httpRequest), httpRequest),
      );
    },
  };
}

/**
 * Yoga uses and removes these extensions. The errors lose theirs, from which Yoga would choose another status. In an event stream
 * the status is that of `application/json`.
 */
const withHead = (result: ExecutionResult, request: HttpRequest): ExecutionResult => ({
  ...result,
  ...(result.errors && { errors: result.errors.map(withoutHttp) }),
  extensions: {
    ...result.extensions,
    http: headOf(result, singleResponseTypeFor(request.header('accept')) ?? 'application/json'),
  },
});

/**
 * Removes `@defer` and `@stream` from a document whose client accepts no response of several parts. A response in one part is
 * executed as on the fast path.
 */
const useIncrementalDelivery = (): Plugin<ServerContext> => ({
  onExecute({ args: { document }, context, executeFn, setExecuteFn }) {
    if (incrementalDirectives(document).length === 0) return setExecuteFn(execute);
    const delivery = incrementalDeliveryFor(context.httpRequest.header('accept'));
    if (delivery?.form === 'incrementalSpec=v0.2') {
      setExecuteFn((args) => executeAnnounced(executeFn, args));
    } else if (!delivery) {
      const inOnePart = withoutIncrementalDirectives(document);
      setExecuteFn((args) => execute({ ...args, document: inOnePart }));
    }
  },
});

/** Proxies forward each part of a response at once and unchanged. A partial success has its reason phrase. */
const useResponseHeads = (): Plugin<object, ServerContext> => ({
  onResponse({ response: { status, headers, body }, setResponse, serverContext, fetchAPI }) {
    const type = headers.get('content-type') ?? '';
    if (/^(?:multipart\/mixed|text\/event-stream)\b/.test(type)) {
      for (const [name, value] of Object.entries(unbuffered)) headers.set(name, value);
      const { form } = incrementalDeliveryFor(serverContext.httpRequest.header('accept')) ?? {};
      if (form && type.startsWith('multipart')) headers.set('content-type', `${type}; ${form}`);
    }
    if (status !== partialSuccess.status) return;
    setResponse(new fetchAPI.Response(body, { ...partialSuccess, headers }));
  },
});

/** Adds each subscription to `open` until it ends. */
const useOpenStreams = (open: Set<AsyncIterable<unknown>>): Plugin => ({
  onSubscribe: () => ({
    onSubscribeResult({ result }) {
      if (!(Symbol.asyncIterator in result)) return undefined;
      open.add(result);
      return { onEnd: () => open.delete(result) };
    },
  }),
});
