import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { refusalBody } from '../request-fault.ts';
import type { RequestIds } from '../request-ids.ts';
import type { RequestView } from '../request-view.ts';

/** Answers what Node's parser could not read as a request, in the place of Node's own bare text. */
export type AnswerBroken = (error: NodeJS.ErrnoException, socket: Duplex) => void;

const answers: Readonly<Record<string, readonly [number, string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time; send it at once.'],
  HPE_HEADER_OVERFLOW: [431, 'The headers of the request are too long.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The chunks of the request say too much beside the body.'],
};
const notHttp = [400, 'This is not a request of HTTP/1.1.'] as const;

/** The connection ends with it. Where an answer has begun nothing can be told any more. */
export function createBrokenAnswer(
  ids: RequestIds,
  headings: (request: RequestView) => Readonly<Record<string, string>>,
): AnswerBroken {
  return (error, socket) => {
    const [status, message] = answers[error.code ?? ''] ?? notHttp;
    // Of what cannot be read nothing is known.
    const request: RequestView = {
      method: '',
      headers: { get: () => null },
      signal: AbortSignal.abort(),
      notes: {},
    };
    const requestId = ids.of(request);
    const text = JSON.stringify(refusalBody(message, { code: 'BAD_USER_INPUT', requestId }));
    const headers = {
      ...headings(request),
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(text),
      connection: 'close',
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`);
  };
}
