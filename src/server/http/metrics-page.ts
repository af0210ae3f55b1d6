import type { IncomingMessage, ServerResponse } from 'node:http';

/** All metrics in the format of Prometheus. */
export interface MetricsSource {
  readonly contentType: string;
  metrics(): Promise<string>;
}

/** Responds to `GET /metrics` only; it belongs on a port that clients of the graph cannot reach. */
export const createMetricsPage =
  (source: MetricsSource) =>
  (request: IncomingMessage, response: ServerResponse): void => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('Request GET /metrics.\n');
      return;
    }
    source.metrics().then(
      (text) => response.writeHead(200, { 'content-type': source.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  };
