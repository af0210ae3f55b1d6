import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { refusalBody } from './refusal.ts';
import { responseHeaders } from './response-headers.ts';

/** Responds to bytes that Node's parser cannot read as a request, instead of Node's own plain text. */
export type RespondToParserError = (error: NodeJS.ErrnoException, socket: Duplex) => void;

const responses: Readonly<Record<string, readonly [number, string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time; send it without pauses.'],
  HPE_HEADER_OVERFLOW: [431, 'The headers of the request are too long.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The chunk extensions of the body are too long.'],
};
const notHttp = [400, 'This is not an HTTP/1.1 request.'] as const;

/** Closes the connection after the response. */
export const createParserErrorResponse =
  (createId: () => string): RespondToParserError =>
  (error, socket) => {
    const [status, message] = responses[error.code ?? ''] ?? notHttp;
    const requestId = createId();
    const text = JSON.stringify(refusalBody(message, { code: 'BAD_USER_INPUT', requestId }));
    const headers = {
      ...responseHeaders(requestId),
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(text),
      connection: 'close',
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`);
  };
