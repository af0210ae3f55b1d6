import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fetched } from './fetch.ts';

const endOfHead = Buffer.from('\r\n\r\n');

/**
 * Connections to one server, with one request at a time on each. When all are busy, a request opens another one, so that it
 * never waits in the load generator. undici's pool searches all connections for a free one, which takes long for thousands.
 */
export class Connections {
  readonly #host: string;
  readonly #port: number;
  readonly #most: number;
  readonly #free: Connection[] = [];
  readonly #all = new Set<Connection>();

  /** `url` is `http://` with a port; `most` is the largest number of connections. */
  constructor(url: string, most: number) {
    const { hostname, port } = new URL(url);
    this.#host = hostname;
    this.#port = Number(port);
    this.#most = most;
  }

  /** Posts JSON to the graph. @throws when the connection fails, and when all of them are busy. */
  async post(body: string): Promise<Fetched> {
    const connection = this.#takeFree() ?? this.#open();
    const fetched = await connection.send(
      `POST /graphql HTTP/1.1\r\nhost: ${this.#host}:${this.#port}\r\ncontent-type: application/json\r\naccept: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
    if (this.#all.has(connection)) this.#free.push(connection);
    return fetched;
  }

  /**
   * Opens `many` connections, one a millisecond, as the long-lived ones of proxies. Node accepts one connection in each turn
   * of its event loop, so that thousands at once wait for seconds before the server can read their requests.
   */
  async open(many: number): Promise<void> {
    for (let opened = 0; opened < many; opened += 1) {
      this.#free.push(this.#open());
      await sleep(1);
    }
  }

  close(): void {
    for (const { socket } of this.#all) socket.destroy();
  }

  /** The server closes connections that are idle for a minute. */
  #takeFree(): Connection | undefined {
    let connection = this.#free.pop();
    while (connection && !this.#all.has(connection)) connection = this.#free.pop();
    return connection;
  }

  #open(): Connection {
    if (this.#all.size === this.#most) throw new Error(`All ${this.#most} connections are busy.`);
    const connection = new Connection(connect({ port: this.#port, host: this.#host }));
    this.#all.add(connection);
    connection.socket.once('close', () => this.#all.delete(connection));
    return connection;
  }
}

class Connection {
  readonly socket: Socket;
  #chunks: Buffer[] = [];
  #pending: PromiseWithResolvers<Fetched> | null = null;

  constructor(socket: Socket) {
    this.socket = socket.setNoDelay();
    socket.on('data', (chunk) => this.#read(chunk));
    socket.on('error', () => {});
    socket.on('close', () => this.#pending?.reject(new Error('The connection was closed.')));
  }

  send(request: string): Promise<Fetched> {
    this.#pending = Promise.withResolvers();
    this.socket.write(request);
    return this.#pending.promise;
  }

  /** Reads responses that have a `content-length`, as each of the gateway has but those with several parts. */
  #read(chunk: Buffer): void {
    this.#chunks.push(chunk);
    const bytes = this.#chunks.length === 1 ? chunk : Buffer.concat(this.#chunks);
    const headLength = bytes.indexOf(endOfHead);
    if (headLength < 0) return;
    const head = bytes.toString('latin1', 0, headLength);
    const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1]);
    const bodyAt = headLength + endOfHead.length;
    if (bytes.length < bodyAt + length) return;
    this.#chunks = [];
    this.#pending?.resolve({
      status: Number(head.slice(9, 12)),
      text: bytes.toString('utf8', bodyAt, bodyAt + length),
    });
    this.#pending = null;
  }
}
