import type { IncomingMessage, ServerResponse } from 'node:http';

/** All figures as Prometheus reads them. */
export interface Figures {
  readonly contentType: string;
  metrics(): Promise<string>;
}

/** Answers `GET /metrics`, and nothing else; it belongs on a port that callers of the graph cannot reach. */
export const createMetricsPage =
  (figures: Figures) =>
  (request: IncomingMessage, response: ServerResponse): void => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('Ask for GET /metrics.\n');
      return;
    }
    figures.metrics().then(
      (text) => response.writeHead(200, { 'content-type': figures.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  };
