import type { Server, ServerOptions } from 'node:http';

/** How long the server waits for slow clients, in milliseconds. */
export interface ServerTimeouts {
  /** For a complete request, head and body. */
  readonly requestMs: number;
  /** For a client that reads nothing of its response. */
  readonly idleResponseMs: number;
  /** For the client to read why its connection is closed. */
  readonly closeMs: number;
}

export const defaultTimeouts: ServerTimeouts = {
  requestMs: 10_000,
  idleResponseMs: 30_000,
  closeMs: 500,
};

/** Longer than the usual minute of proxies, so that the proxy closes an idle connection first. */
const keepAliveMs = 65_000;
const maxHeaderBytes = 16_384;
const maxConnections = 5_000;
const maxRequestsPerConnection = 100_000;

export const serverOptions = ({ requestMs }: ServerTimeouts): ServerOptions => ({
  headersTimeout: requestMs,
  requestTimeout: requestMs,
  // The largest delay of the two above.
  connectionsCheckingInterval: Math.min(1_000, requestMs),
  keepAliveTimeout: keepAliveMs,
  maxHeaderSize: maxHeaderBytes,
  // The guards require it and explain the refusal.
  requireHostHeader: false,
});

/** Limits what slow clients, and many of them, can occupy. */
export function limitConnections(server: Server, { idleResponseMs }: ServerTimeouts): void {
  server.maxConnections = maxConnections;
  server.maxRequestsPerSocket = maxRequestsPerConnection;
  // Node drops headers beyond its limit without an error; the guards count them.
  server.maxHeadersCount = 0;
  server.setTimeout(idleResponseMs, (socket) => {
    // Without buffered data the connection waits for the gateway or is idle, which other timeouts handle.
    if (socket.writableLength > 0) socket.destroy();
  });
}
