import { connect, type Socket } from 'node:net';

/** A client that reads an export when the test lets it. */
export interface RawClient {
  /** The characters that it has read so far, with the head of the response. */
  length(): number;
  /** Resolves when it has read as many characters. */
  hasRead(characters: number): Promise<void>;
  pause(): void;
  resume(): void;
  disconnect(): void;
  isClosed(): boolean;
  /** The whole response, and the code of the error that ended the connection; null after a normal end. */
  readonly ended: Promise<{ readonly text: string; readonly errorCode: string | null }>;
}

export function openExport(
  url: string,
  file: string,
  { version = '1.1', readsAtOnce = true } = {},
): RawClient {
  const { hostname, port, host } = new URL(url);
  const socket: Socket = connect(Number(port), hostname);
  let text = '';
  let errorCode: string | null = null;
  let isClosed = false;
  const ended = new Promise<{ text: string; errorCode: string | null }>((resolve) => {
    socket.once('error', (error: NodeJS.ErrnoException) => {
      errorCode = error.code ?? 'unknown';
    });
    socket.once('close', () => {
      isClosed = true;
      resolve({ text, errorCode });
    });
  });
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  if (!readsAtOnce) socket.pause();
  socket.write(`GET /export/${file} HTTP/${version}\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  return {
    length: () => text.length,
    async hasRead(characters) {
      while (text.length < characters) await new Promise((resolve) => socket.once('data', resolve));
    },
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    disconnect: () => void socket.destroy(),
    isClosed: () => isClosed,
    ended,
  };
}

/** The body of a chunked response, and whether its last chunk has arrived. */
export function chunksOf(text: string): { readonly body: string; readonly isWhole: boolean } {
  let rest = Buffer.from(text.slice(text.indexOf('\r\n\r\n') + 4));
  const chunks: Buffer[] = [];
  for (;;) {
    const end = rest.indexOf('\r\n');
    const size = Number.parseInt(rest.subarray(0, Math.max(0, end)).toString(), 16);
    if (!(size > 0)) break;
    chunks.push(rest.subarray(end + 2, end + 2 + size));
    rest = rest.subarray(end + 2 + size + 2);
  }
  return {
    body: Buffer.concat(chunks).toString(),
    isWhole: rest.toString() === '0\r\n\r\n',
  };
}
