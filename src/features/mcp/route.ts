import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import type { Caller } from '../../kernel/caller.ts';
import { lazy } from '../../lib/lazy.ts';
import { holds } from '../../modules/job/holds.ts';
import type { CreateRoutes, RouteContext } from '../../seam/feature.ts';
import { decodeBody, parseObject } from '../../server/graphql/params.ts';
import type { HttpRequest, RouteFacts } from '../../server/http/http-request.ts';
import { readBody } from '../../server/http/request-fault.ts';
import { unbuffered, writeHead } from '../../server/http/responses.ts';
import { withFacts } from '../../server/http/routes.ts';
import { createHandles } from './handle.ts';
import { mcpSettings } from './settings.ts';
import {
  mcpPath,
  protocolHeaders,
  type SignIn,
  signInOf,
  signInParameters,
  signInRoutes,
} from './sign-in.ts';
import { handles } from './store.ts';

/** The ids of the messages of requests (JSON-RPC). */
const messageIds = new WeakMap<HttpRequest, string | number>();

/** The path of the tools, and how a client signs in. Without sessions there is no stream to read by GET, and none to end by DELETE. */
export const mcpRoutes: CreateRoutes = (context) => {
  const { config } = context;
  const { MCP = config.isSandbox, MCP_SCOPES } = mcpSettings.of(config);
  if (!MCP) return {};
  const signIn = signInOf(config.auth, MCP_SCOPES);
  const facts: RouteFacts = {
    kind: 'mcp',
    isOfAccount: true,
    ...protocolHeaders,
    post: createPost(context, signIn),
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
function createPost(context: RouteContext, signIn: SignIn | null) {
  const { operations, config } = context;
  // The SDK and the tools, from the first request on.
  const loaded = lazy(() => load(context, signIn));
  /** @throws what happens before the response begins. */
  return async (request: HttpRequest): Promise<void> => {
    const refusal = await operations.rules.check('onRequest', request);
    if (refusal) throw refusal;
    const body = await readBody(request.node, config.server.maxBodyBytes);
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

async function load(context: RouteContext, signIn: SignIn | null): Promise<ServeMcp> {
  const { config, operations, log, tenantOf } = context;
  const { checkScopes, createToolbox, respondTo } = await import('./mcp-server.ts');
  const handlesOf = (caller: Caller) => {
    const { facts, store } = tenantOf(caller);
    return { ...facts, handles: store(handles) };
  };
  const toolbox = createToolbox(
    operations,
    mcpSettings.of(config).MCP_WRITES ? createHandles(handlesOf) : null,
    (caller) =>
      tenantOf(caller)
        .use(holds)
        .some((one) => one.holdsTools()),
    await context.loadTools(),
  );
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
