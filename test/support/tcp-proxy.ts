import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { PassThrough, Transform } from 'node:stream';

/** A proxy that a test can cut: connections break and new ones are refused. */
export interface TcpProxy {
  /** `127.0.0.1:<port>`, the same for all its life. */
  readonly host: string;
  cut(): Promise<void>;
  /** Holds data in transit, as a power failure of the server does; new connections work. */
  fallSilent(): void;
  restore(): Promise<void>;
}

/** `filter` makes what the data of the server passes through. */
export async function startTcpProxy(
  host: string,
  port: number,
  filter: () => Transform = () => new PassThrough(),
): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let server: Server | null = null;
  const listen = async (at: number): Promise<number> => {
    server = createServer((near) => {
      const far = connect(port, host);
      for (const socket of [near, far]) {
        sockets.add(socket);
        socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
      }
      // A server that refuses the connection, or fails, closes that of its client.
      far.on('close', () => near.destroy());
      near.pipe(far).pipe(filter()).pipe(near);
    }).listen(at, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const own = await listen(0);
  return {
    host: `127.0.0.1:${own}`,
    async cut() {
      const closed = server && once(server, 'close');
      server?.close();
      for (const socket of sockets) socket.resetAndDestroy();
      await closed;
      server = null;
    },
    fallSilent() {
      for (const socket of sockets) socket.unpipe().pause();
    },
    async restore() {
      await listen(own);
    },
  };
}

/** Drops the notifications of PostgreSQL, which a pooler of transactions does not pass on. */
export function dropNotifications(): Transform {
  let rest = Buffer.alloc(0);
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      rest = Buffer.concat([rest, chunk]);
      // A message has its kind, the length of what follows, and that.
      while (rest.length >= 5 && rest.length > rest.readInt32BE(1)) {
        const message = rest.subarray(0, 1 + rest.readInt32BE(1));
        if (message[0] !== notification) this.push(message);
        rest = rest.subarray(message.length);
      }
      done();
    },
  });
}

const notification = 'A'.charCodeAt(0);
