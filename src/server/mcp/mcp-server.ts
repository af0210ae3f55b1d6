import {
  type CallToolResult,
  createMcpHandler,
  type ListToolsResult,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import type { Log } from '../../observability/log.ts';
import { accepts } from '../graphql/delivery.ts';
import type { HttpRequest } from '../http/http-request.ts';
import { createToolServer } from './tool-server.ts';
import type { Toolbox } from './tools/toolbox.ts';

export { createToolbox } from './tools/toolbox.ts';

/** The SDK looks for both names. A client without the header, or with a wildcard for any type, accepts both too. */
const bothTypes = 'application/json, text/event-stream';

/** Responds to one message. A server of the SDK exists for this request only, so there is no session. */
export function respondTo(
  request: HttpRequest,
  message: object,
  toolbox: Toolbox,
  log: Log,
): Promise<Response> {
  const createServer = () =>
    createToolServer({
      // The types of the SDK have no readonly members.
      list: () => ({ tools: toolbox.list(request.caller) }) as unknown as ListToolsResult,
      async call({ name, arguments: args = {} }) {
        const result = await toolbox.call(request, name, args);
        if (result) return result as unknown as CallToolResult;
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'This tool does not exist.');
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
  const accept = request.header('accept') || '*/*';
  headers.push(['accept', accepts(accept, ['*/*']) ? bothTypes : accept]);
  const { target, signal } = request;
  const options = { method: 'POST', headers, signal };
  return handler.fetch(new Request(`http://localhost${target}`, options), { parsedBody: message });
}
