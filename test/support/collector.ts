import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span as OTLP has it in JSON. */
export interface ReceivedSpan {
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes: readonly Attribute[];
}

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

interface ReceivedBatch {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

interface ResourceSpans {
  readonly resource: { readonly attributes: readonly Attribute[] };
  readonly scopeSpans: readonly { readonly spans: readonly ReceivedSpan[] }[];
}

/** The values of attributes by name. */
export const valuesOf = (attributes: readonly Attribute[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

/** Receives spans over HTTP like an OpenTelemetry collector. A status of 0 sends no response. */
export async function startCollector({ port = 0, status = 200 } = {}) {
  const batches: ReceivedBatch[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { headers, url: path = '' } = request;
    batches.push({ path, headers, body: Buffer.concat(chunks) });
    if (status === 0) return;
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  const resourceSpans = (): readonly ResourceSpans[] =>
    batches.flatMap(({ body }) => JSON.parse(body.toString()).resourceSpans);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    batches,
    spans: () =>
      resourceSpans().flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
    /** The attributes of the resource of the first batch. */
    resource: () => valuesOf(resourceSpans()[0]?.resource.attributes ?? []),
    close(): void {
      server.close();
      server.closeAllConnections();
    },
  };
}
