import {
  type CallToolResult,
  createMcpHandler,
  type ListToolsResult,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import { forbidden, mayAny } from '../../kernel/caller.ts';
import type { Log } from '../../observability/log.ts';
import { isAcceptable } from '../../server/http/accept.ts';
import { type HttpRequest, readCredentials } from '../../server/http/http-request.ts';
import { requestFault } from '../../server/http/request-fault.ts';
import { bearerChallenge } from '../../server/http/responses.ts';
import { writesOff } from './notes.ts';
import { signInParameters } from './sign-in.ts';
import { createToolServer } from './tool-server.ts';
import type { Toolbox } from './toolbox.ts';

export { createToolbox } from './toolbox.ts';

/** The SDK refuses a client of an earlier protocol without both names, and responds to it with a stream of one event. */
const bothTypes = 'application/json, text/event-stream';
const dataPrefix = 'data: ';

/**
 * Refuses a call of a tool whose scopes the token of the caller does not have, so that the client can request them. The
 * caller of an API key cannot; it receives the result of the tool.
 *
 * @throws GraphQLError 403
 */
export function checkScopes(request: HttpRequest, message: RpcMessage, toolbox: Toolbox): void {
  const { method, params } = message;
  if (method !== 'tools/call' || readCredentials(request).apiKey !== null) return;
  const { caller } = request;
  const name = String(params?.name);
  const needed = toolbox.neededBy(name);
  const missing = needed.find((scopes) => !mayAny(caller, scopes));
  // No token of a caller that is bound to a customer allows it.
  if (!missing || missing.some((scope) => caller.scopes.has(scope))) return;
  request.tool = name;
  const { message: sentence } = forbidden(caller, missing);
  const scopes = needed.flatMap((any) => any.find((one) => caller.scopes.has(one)) ?? any[0] ?? []);
  throw requestFault('FORBIDDEN', sentence, 403, {
    'www-authenticate': bearerChallenge({
      ...{ error: 'insufficient_scope', error_description: sentence },
      ...signInParameters(request, [...new Set(scopes)]),
    }),
  });
}

/** What a message has, as far as it is read before the SDK checks it. */
interface RpcMessage {
  readonly method?: unknown;
  readonly params?: { readonly name?: unknown } | null;
}

/** Responds to one message. A server of the SDK exists for this request only, so there is no session. */
export async function respondTo(
  request: HttpRequest,
  message: object,
  toolbox: Toolbox,
  log: Log,
): Promise<Response> {
  const list = () => toolbox.list(request.caller);
  const createServer = () =>
    createToolServer({
      writes: toolbox.writes,
      // The types of the SDK have no readonly members.
      list: () => ({ tools: list() }) as unknown as ListToolsResult,
      async call({ name, arguments: args = {} }) {
        const result = await toolbox.call(request, name, args);
        if (result) return result as unknown as CallToolResult;
        const names = list().map((tool) => tool.name);
        const sentence = `This tool does not exist. ${toolbox.writes ? '' : `${writesOff} `}The tools are: ${names.join(', ') || 'none'}.`;
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, sentence);
      },
    });
  const handler = createMcpHandler(createServer, {
    // There are no events to subscribe to.
    maxSubscriptions: 0,
    onerror: (error) => log.debug('an MCP message was refused', { requestId: request.id, error }),
  });
  // The headers that the SDK reads. It receives no credentials.
  const names = ['content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'];
  const headers = names.flatMap((name): [string, string][] => {
    const value = request.header(name);
    return value === null ? [] : [[name, value]];
  });
  headers.push(['accept', bothTypes]);
  const { target, signal } = request;
  const options = { method: 'POST', headers, signal };
  const response = await handler.fetch(new Request(`http://localhost${target}`, options), {
    parsedBody: message,
  });
  const isStream = response.headers.get('content-type') === 'text/event-stream';
  if (!isStream || isAcceptable(request.header('accept'), 'text/event-stream')) return response;
  const lines = (await response.text()).split('\n');
  const json = lines.find((line) => line.startsWith(dataPrefix))?.slice(dataPrefix.length);
  return new Response(json ?? null, { headers: { 'content-type': 'application/json' } });
}
