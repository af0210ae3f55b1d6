import type { HttpRequest } from '../http/http-request.ts';
import { unbuffered, writeHead } from '../http/responses.ts';
import type { IncrementalDelivery } from './delivery.ts';

/** How the parts of a response are sent. */
export interface Frames {
  readonly headers: Readonly<Record<string, string>>;
  readonly begin: string;
  readonly part: (text: string) => string;
  readonly end: string;
  /** Sent from time to time while there is no part; null where the form has none. */
  readonly ping: string | null;
}

const eventStream: Frames = {
  headers: { 'content-type': 'text/event-stream', 'content-encoding': 'none' },
  // Some browsers show a response when its first bytes arrive.
  begin: ':\n\n',
  part: (text) => `event: next\ndata: ${text}\n\n`,
  end: 'event: complete\ndata:\n\n',
  ping: ':\n\n',
};

const multipart: Omit<Frames, 'headers'> = {
  begin: '\r\n---',
  part: (text) =>
    `\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}\r\n---`,
  end: '--\r\n',
  ping: null,
};

export const framesOf = ({ type, form }: IncrementalDelivery): Frames =>
  type === 'text/event-stream'
    ? eventStream
    : {
        ...multipart,
        headers: { 'content-type': `${type}; boundary="-"${form ? `; ${form}` : ''}` },
      };

/** Sends the head of a response in several parts. */
export function beginParts(
  request: HttpRequest,
  frames: Pick<Frames, 'headers'>,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): void {
  writeHead(request, status, {
    ...headers,
    ...unbuffered,
    ...frames.headers,
    connection: 'keep-alive',
  });
}
