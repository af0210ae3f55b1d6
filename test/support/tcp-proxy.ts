import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A proxy that a test can cut: connections break and new ones are refused. */
export interface TcpProxy {
  /** `127.0.0.1:<port>`, the same for all its life. */
  readonly host: string;
  cut(): Promise<void>;
  /** Holds data in transit, as a power failure of the server does; new connections work. */
  fallSilent(): void;
  restore(): Promise<void>;
}

export async function startTcpProxy(host: string, port: number): Promise<TcpProxy> {
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
      near.pipe(far).pipe(near);
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
