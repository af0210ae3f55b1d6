// Loads the OpenTelemetry SDK before the gateway, which by itself knows its API alone. Where spans go is said by the usual
// variables, such as OTEL_EXPORTER_OTLP_ENDPOINT and OTEL_SERVICE_NAME:
//
//     npm install @opentelemetry/sdk-trace-node @opentelemetry/exporter-trace-otlp-http
//     npx node --import ./examples/tracing/otel.mjs src/cli/run.mjs main

import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';

const provider = new NodeTracerProvider({
  spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
});
provider.register();

// A span waits for company for some seconds. What has ended by then is sent at the first signal, while the gateway drains.
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => provider.forceFlush());
