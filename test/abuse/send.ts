import { connect } from 'node:net';

export interface Heard {
  /** `closed` is a connection that ended without an answer. */
  readonly status: number | 'closed';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends bytes on a connection of their own, and hears the first answer to them, or nothing by the end of it. */
export function sendBytes(url: string, bytes: Buffer): Promise<Heard> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    let text = '';
    const end = () => {
      resolve(answerOf(text) ?? { status: 'closed', headers: {}, body: text });
      socket.destroy();
    };
    socket.setEncoding('latin1');
    socket.on('data', (chunk) => {
      text += chunk;
      const answer = answerOf(text);
      const length = answer?.headers['content-length'];
      if (answer && length !== undefined && answer.body.length >= Number(length)) end();
    });
    socket.on('end', end);
    // A gateway that has answered need not wait for the rest of what is sent.
    socket.on('error', end);
    socket.write(bytes);
  });
}

/** The first answer that is no `100 Continue`. */
function answerOf(text: string): Heard | null {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]);
  if (rest.length === 0 || !status) return null;
  if (status === 100) return answerOf(rest.join('\r\n\r\n'));
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
