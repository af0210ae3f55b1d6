import type { Server, ServerOptions } from 'node:http';

/** How long callers are waited for, in milliseconds. */
export interface Patience {
  /** For the whole of a request, head and body. */
  readonly senderMs: number;
  /** For a caller that takes nothing of what is there for it. */
  readonly readerMs: number;
  /** For the caller to read why its connection is closed. */
  readonly lastWordsMs: number;
}

const usual: Patience = { senderMs: 10_000, readerMs: 30_000, lastWordsMs: 500 };

/** Longer than a proxy before it keeps a connection that nobody uses, which is a minute with most. */
const keepAliveMs = 65_000;
const longestHeaders = 16_384;
const mostConnections = 5_000;
const mostRequestsOfConnection = 100_000;

/** What keeps slow callers from holding a server of `node:http`, and many from filling it. */
export function createPatience(changes: Partial<Patience> = {}) {
  const { senderMs, readerMs, lastWordsMs } = { ...usual, ...changes };
  const ofServer: ServerOptions = {
    headersTimeout: senderMs,
    requestTimeout: senderMs,
    // How late the two above may come.
    connectionsCheckingInterval: Math.min(1_000, senderMs),
    keepAliveTimeout: keepAliveMs,
    maxHeaderSize: longestHeaders,
    // The front door asks for it, and tells why.
    requireHostHeader: false,
  };
  return {
    ofServer,
    lastWordsMs,
    watch(server: Server): void {
      server.maxConnections = mostConnections;
      server.maxRequestsPerSocket = mostRequestsOfConnection;
      // Otherwise Node leaves out what is too many, silently. The front door counts them.
      server.maxHeadersCount = 0;
      // Nothing went over the connection for so long; that is nobody's fault but that of a reader who was told something.
      server.setTimeout(readerMs, (socket) => {
        if (socket.writableLength > 0) socket.destroy();
      });
    },
  };
}
