import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import type { SignIn } from '../../config/sign-in.ts';
import type { Caller } from '../../kernel/caller.ts';
import { lazy } from '../../lib/lazy.ts';
import type { Holds } from '../../modules/job/holds.ts';
import type { Log } from '../../observability/log.ts';
import { decodeBody, parseObject } from '../graphql/params.ts';
import type { HttpRequest, RouteFacts } from '../http/http-request.ts';
import { readBody } from '../http/read-body.ts';
import { unbuffered, writeHead } from '../http/responses.ts';
import { type Routes, withFacts } from '../http/routes.ts';
import { mcpPath, signInParameters, signInRoutes } from './sign-in.ts';
import type { FeatureTools } from './tools/feature-tools.ts';
import { createHandles, type HandleDeps } from './tools/handle.ts';
import type { DocumentOptions } from './tools/tool-document.ts';

/** Of the tenant of a caller. */
export interface ToolDeps extends HandleDeps {
  readonly holds: Pick<Holds, 'holdsTools'>;
}

interface McpOptions {
  readonly operations: DocumentOptions;
  readonly maxBodyBytes: number;
  /** Whether there are tools that write. */
  readonly mcpWrites: boolean;
  readonly depsOf: (caller: Caller) => ToolDeps;
  /** Loads the tools of features. */
  readonly loadTools: () => Promise<readonly FeatureTools[]>;
  readonly log: Log;
  /** Null when clients cannot sign in. */
  readonly signIn: SignIn | null;
}

/** The ids of the messages of requests (JSON-RPC). */
const messageIds = new WeakMap<HttpRequest, string | number>();

/** The path of the tools, and how a client signs in. Without sessions there is no stream to read by GET, and none to end by DELETE. */
export const mcpRoutes = (options: McpOptions): Routes => {
  const { signIn } = options;
  const facts: RouteFacts = {
    kind: 'mcp',
    isOfAccount: true,
    post: createMcpHandler(options),
    // The codes of the protocol name other errors, so an error without one has its HTTP status.
    refusalBody(request, status, { message, extensions }) {
      const code = extensions?.code === 'INVALID_REQUEST' ? -32_600 : status;
      const id = messageIds.get(request) ?? null;
      return { jsonrpc: '2.0', error: { code, message, data: extensions }, id };
    },
    ...(signIn && { challenge: (request) => signInParameters(request, signIn.scopes) }),
  };
  return { ...withFacts(facts, { [mcpPath]: () => null }), ...(signIn && signInRoutes(signIn)) };
};

/** Creates the function that responds to POST of the path of tools. */
function createMcpHandler(options: McpOptions) {
  const { operations, maxBodyBytes } = options;
  // The SDK and the tools, from the first request on.
  const loaded = lazy(() => load(options));
  /** @throws what happens before the response begins. */
  return async (request: HttpRequest): Promise<void> => {
    const refusal = await operations.rules.check('onRequest', request);
    if (refusal) throw refusal;
    const body = await readBody(request.node, maxBodyBytes);
    // The client has disconnected.
    if (body === null) return;
    const message = parseObject(decodeBody(body));
    const id = idOf(message);
    if (id !== null) messageIds.set(request, id);
    const serve = await loaded();
    await send(request, await serve(request, message));
  };
}

const idOf = ({ id }: { readonly id?: unknown }): string | number | null =>
  typeof id === 'string' || typeof id === 'number' ? id : null;

type ServeMcp = (request: HttpRequest, message: object) => Promise<Response>;

async function load(options: McpOptions): Promise<ServeMcp> {
  const { mcpWrites, depsOf, log, signIn } = options;
  const { checkScopes, createToolbox, respondTo } = await import('./mcp-server.ts');
  const handles = mcpWrites ? createHandles(depsOf) : null;
  const holdsTools = (caller: Caller) => depsOf(caller).holds.holdsTools();
  const toolbox = createToolbox(options.operations, handles, holdsTools, await options.loadTools());
  return (request, message) => {
    if (signIn) checkScopes(request, message, toolbox);
    return respondTo(request, message, toolbox, log);
  };
}

async function send(request: HttpRequest, { status, headers, body }: Response) {
  const { response, signal } = request;
  if (signal.aborted) return;
  const type = headers.get('content-type');
  writeHead(request, status, {
    ...(type !== null && { 'content-type': type }),
    ...(type === 'text/event-stream' && unbuffered),
  });
  if (body === null) return void response.end();
  try {
    await pipeline(Readable.fromWeb(body as ReadableStream), response);
  } catch (error) {
    // The client has disconnected.
    if (!signal.aborted) throw error;
  }
}
