import { connect } from 'node:net';

export interface RawResponse {
  /** `closed` is a connection that ended without a response. */
  readonly status: number | 'closed';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends bytes on a new connection. Resolves to the first response, or to `closed` when the connection ends without one. */
export function sendBytes(url: string, bytes: Buffer): Promise<RawResponse> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    let text = '';
    const end = () => {
      resolve(responseOf(text) ?? { status: 'closed', headers: {}, body: text });
      socket.destroy();
    };
    socket.setEncoding('latin1');
    socket.on('data', (chunk) => {
      text += chunk;
      const response = responseOf(text);
      const length = response?.headers['content-length'];
      if (response && length !== undefined && response.body.length >= Number(length)) end();
    });
    socket.on('end', end);
    // A gateway that has responded may close the connection before it receives the rest.
    socket.on('error', end);
    socket.write(bytes);
  });
}

/** The first response that is no `100 Continue`. */
function responseOf(text: string): RawResponse | null {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]);
  if (rest.length === 0 || !status) return null;
  if (status === 100) return responseOf(rest.join('\r\n\r\n'));
  const headers = Object.fromEntries(
    head
      .split('\r\n')
      .slice(1)
      .map((line) => [line.split(':', 1)[0]?.toLowerCase(), line.replace(/^[^:]*: */, '')]),
  );
  const all = rest.join('\r\n\r\n');
  const length = headers['content-length'];
  return { status, headers, body: length === undefined ? all : all.slice(0, Number(length)) };
}
